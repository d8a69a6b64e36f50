"""Noise as a sequence: the clean picture first, then noise drawn afresh for every frame."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from brittle._random import fork
from brittle.corruptions._law import AliasTable, Law, alias_table, sample
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Tables
from brittle.types import Crop, Pixels, Shape


def _stream_itself(stream: int, shape: Shape, row: object) -> int:  # noqa: ARG001
    return stream


def noise(
    row: type[Any], tables: Tables[Any], law: Callable[[Any], Law], *, extra: bool
) -> Perturbation:
    """Make the perturbation that draws every value of frames 1 on from the law of its level.

    It draws nothing in advance: frame i counts through a stream of its own, forked from the key.
    """

    @lru_cache(maxsize=32)
    def tabulated(row: Any) -> AliasTable:
        return alias_table(law(row))

    def frames(pixels: Pixels, row: Any, draws: int, crop: Crop) -> Iterator[Pixels]:
        clean = crop.of(pixels)
        yield clean.copy()
        for i in range(1, row.frames):
            out = np.empty_like(clean)
            key = np.uint64(fork(np.uint64(draws), np.uint64(i)))
            sample(clean.reshape(-1), tabulated(row), key, out.reshape(-1))
            yield out

    return Perturbation(
        citation=PAPER,
        row=row,
        tables=tables,
        draw=_stream_itself,
        frames=frames,
        reference="first",
        extra=extra,
    )
