"""Glass blur: the picture seen through frosted glass.

Formula: blur with a Gaussian of `sigma` and truncate; then `rounds` sweeps from the lower right to
the upper left, in which pixel (h, w) takes the current value of pixel (h + dy, w + dx), with dx and
dy drawn from -delta..delta-1; then the same blur again.

The authors' line reads like a swap of the two pixels, but NumPy's views alias and only copy; the
published sets hold the copy, and so does this.
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import bits
from brittle.corruptions._smooth import blur
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Shape

Moves: TypeAlias = NDArray[np.int8]
"""One row a visited pixel in the order of the visits: dx, dy."""


class Row(NamedTuple):
    """Parameters: `sigma` of the blurs, `delta` the reach of a move, `rounds` of moves."""

    sigma: Annotated[float, Range(0, 1000)]
    delta: Annotated[int, Range(1, 127)]
    rounds: Annotated[int, Range(0, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.7, 1, 2), (0.9, 2, 1), (1, 2, 3), (1.1, 3, 2), (1.5, 4, 2)),
        "inception-299": ((0.8, 1, 3), (1, 3, 1), (1.1, 2, 4), (1.2, 4, 2), (1.6, 5, 2)),
        "imagenet-64": ((0.1, 1, 1), (0.5, 1, 1), (0.6, 1, 2), (0.7, 2, 1), (0.9, 2, 2)),
        "cifar-32": ((0.05, 1, 1), (0.25, 1, 1), (0.4, 1, 1), (0.25, 1, 2), (0.4, 1, 2)),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> Moves:
    """Draw a move for every visit."""
    height, width, _ = shape
    visits = max(height - 2 * row.delta, 0) * max(width - 2 * row.delta, 0) * row.rounds
    moves = np.empty((visits, 2), np.int8)
    _draw(np.uint64(stream), row.delta, moves.reshape(-1))
    return moves


def apply(pixels: Pixels, row: Row, draws: Moves) -> Pixels:
    """Blur, move pixels about, blur."""
    moved = blur(pixels, row.sigma)
    _move(moved, row.delta, row.rounds, draws)
    return blur(moved, row.sigma)


@kernel
def _draw(key: np.uint64, delta: int, moves: NDArray[np.int8]) -> None:
    # 16 bits each, scaled: 2 delta <= 254 values, so no value's share is off by more than 0.4 %
    # of itself at the largest delta and by 0.01 % at those of the tables.
    for quad in range((moves.size + 3) // 4):
        word = bits(key, np.uint64(quad))
        for i in range(4 * quad, min(4 * quad + 4, moves.size)):
            step = ((word & np.uint64(0xFFFF)) * np.uint64(2 * delta)) >> np.uint64(16)
            moves[i] = np.int8(np.int64(step) - delta)
            word >>= np.uint64(16)


@kernel
def _move(pixels: Pixels, delta: int, rounds: int, moves: Moves) -> None:
    height, width, channels = pixels.shape
    visit = 0
    for _ in range(rounds):
        for h in range(height - delta, delta, -1):
            for w in range(width - delta, delta, -1):
                fromh, fromw = h + moves[visit, 1], w + moves[visit, 0]
                for c in range(channels):
                    pixels[h, w, c] = pixels[fromh, fromw, c]
                visit += 1


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="blur")
