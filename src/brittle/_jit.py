"""The one way in which brittle compiles a kernel."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile with Numba: releases the GIL, cached on disk where a place can be written.

    No fastmath: the compiler may neither reorder sums nor fuse a product with a sum, so the
    result is the same on every processor. Where neither the package nor the user's cache can be
    written, it is compiled anew in every process.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError as error:
        if "cache" not in str(error):
            raise
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
    return cast(F, compiled)


def inlined(function: F) -> F:
    """Compile a helper that kernels call; it is inlined into them."""
    return cast(F, numba.njit(inline="always", error_model="numpy")(function))
