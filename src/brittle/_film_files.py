"""Frames in files: MP4 (H.264), animated GIF, NumPy array, PNG pictures; each whole or not there.

The MP4s are made as the published ones were (see `films`).
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from brittle import films
from brittle.files import replacing, write_bytes
from brittle.films import chain, coloured
from brittle.types import Pixels

FORMATS = ("mp4", "gif", "npy", "png")


def write(
    path: Path, form: str, frames: Iterator[Pixels], count: int, *, fps: float, grain: bool
) -> None:
    """Write the frames in one of the `FORMATS`; `png` makes a folder of files."""
    if form == "mp4":
        write_mp4(path, frames, fps=fps, grain=grain)
    elif form == "gif":
        write_gif(path, frames, fps=fps)
    elif form == "npy":
        write_npy(path, frames, count)
    else:
        write_png(path, frames, count)


def write_mp4(
    path: Path, frames: Iterator[Pixels], *, fps: float, grain: bool, crf: int = films.CRF
) -> None:
    """Write an H.264 film, one frame in memory at a time."""
    films.need_video()
    with replacing(path) as aside:
        films.encode(str(aside), frames, fps=fps, grain=grain, crf=crf)


def write_gif(path: Path, frames: Iterator[Pixels], *, fps: float) -> None:
    """Write an animated GIF that runs for ever; its 256 colours a frame are not the frame's own."""
    first = Image.fromarray(coloured(next(frames)))
    rest = (Image.fromarray(coloured(pixels)) for pixels in frames)
    with replacing(path) as aside:
        first.save(
            aside, "GIF", save_all=True, append_images=rest, duration=max(1000 / fps, 10), loop=0
        )


def write_npy(path: Path, frames: Iterator[Pixels], count: int) -> None:
    """Write a uint8 array [frames, H, W, C]."""
    first = next(frames)
    with replacing(path) as aside:
        kept = np.lib.format.open_memmap(
            aside, mode="w+", dtype=np.uint8, shape=(count, *first.shape)
        )
        for number, pixels in enumerate(chain(first, frames)):
            kept[number] = pixels
        kept.flush()


def write_png(folder: Path, frames: Iterator[Pixels], count: int) -> None:
    """Write a PNG a frame, numbered from 0 with as many digits as the last needs."""
    for name in png_names(count):
        pixels = cv2.cvtColor(coloured(next(frames)), cv2.COLOR_RGB2BGR)
        write_bytes(folder / name, cv2.imencode(".png", pixels)[1].tobytes())


def png_names(count: int) -> list[str]:
    """Return the names of the PNG files of that many frames."""
    digits = len(str(count - 1))
    return [f"{number:0{digits}d}.png" for number in range(count)]
