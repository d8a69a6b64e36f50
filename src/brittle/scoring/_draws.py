"""How often each image counts in a replicate, in the order in which the caller lists them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ScoreError
from brittle.scoring.bootstrap import Images, weights


def draws(
    group: str, count: int, keys: Sequence[str] | None, replicates: int, seed: int
) -> Iterator[NDArray[np.floating[Any]]]:
    """Yield blocks of R x N: first of all a row of ones, then the replicates.

    The draws come from the group's name and the keys; without keys they belong to positions.
    """
    named = [f"{place:012d}" for place in range(count)] if keys is None else list(keys)
    if len(named) != count:
        raise ScoreError(
            f"There are {len(named):,} keys for the {count:,} images of the {group} group; give "
            f"one key an image."
        )
    images = Images.of(named, range(count))
    # The same pictures in two groups must not be drawn alike.
    images = Images(images.rows, f"{group}:{images.digest}")
    place = np.argsort(images.rows)
    for block in weights(images, replicates, seed):
        yield block[:, place]
