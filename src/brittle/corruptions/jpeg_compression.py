"""JPEG compression: the picture written as a JPEG of low quality and read again.

Formula: libjpeg with standard Huffman tables, chroma halved in both directions (4:2:0), at
`quality`.
"""

from typing import Annotated, NamedTuple

from brittle.codec import decode_jpeg, encode_jpeg
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: the `quality` of the encoder."""

    quality: Annotated[int, Range(1, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": (25, 18, 15, 10, 7),
        "inception-299": (23, 16, 13, 8, 5),
        "imagenet-64": (65, 58, 50, 40, 25),
        "cifar-32": (80, 65, 58, 50, 40),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Write and read."""
    return decode_jpeg(encode_jpeg(pixels, row.quality), pixels.shape[2])


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="digital")
