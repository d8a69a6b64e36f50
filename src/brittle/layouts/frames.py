"""Frames without loss: `perturbation/wnid/name/00.png`, a folder a sequence."""

from collections.abc import Iterator

from brittle.layouts._cells import Cell
from brittle.layouts._files import encode
from brittle.layouts._sequences import Sequences
from brittle.layouts.base import Job, Layout, Writer
from brittle.types import Pixels


def _files(path: str, cell: Cell, frames: Iterator[Pixels]) -> Iterator[tuple[str, bytes]]:
    digits = len(str(cell.frames - 1))
    for number, pixels in enumerate(frames):
        yield f"{path}/{number:0{digits}d}.png", encode(pixels, cell, None)


def _open(job: Job) -> Writer:
    return Sequences(job, _files)


PART = Layout(open=_open, holds=("sequences",))
