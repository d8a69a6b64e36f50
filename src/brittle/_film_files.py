"""Frames in files: MP4 (H.264), animated GIF, NumPy array, PNG pictures; each whole or not there.

The MP4s are made as the published ones were: libx264 at crf 20, preset veryslow, tuned for grain
where there is noise, in full colour (4:4:4), so that odd sizes fit.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from brittle.errors import MissingExtraError
from brittle.files import replacing, write_bytes
from brittle.types import Pixels

FORMATS = ("mp4", "gif", "npy", "png")
CRF = 20


def need_video() -> Any:
    """Import PyAV, or refuse with the command that installs it."""
    try:
        import av
    except ImportError as error:
        raise MissingExtraError(
            'MP4 files need PyAV: pip install "brittle[video]". GIF, npy and png need nothing more.'
        ) from error
    return av


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
    path: Path, frames: Iterator[Pixels], *, fps: float, grain: bool, crf: int = CRF
) -> None:
    """Write an H.264 film, one frame in memory at a time."""
    av = need_video()
    # One thread: the bytes of x264 depend on their number.
    options = {"crf": str(crf), "preset": "veryslow", "threads": "1"}
    if grain:
        options["tune"] = "grain"
    first = next(frames)
    with replacing(path) as aside, av.open(str(aside), "w", format="mp4") as film:
        rate = Fraction(fps).limit_denominator(1000)
        stream = film.add_stream("libx264", rate=rate, options=options)
        stream.height, stream.width = first.shape[:2]
        stream.pix_fmt = "yuv444p"
        for pixels in _chain(first, frames):
            film.mux(stream.encode(av.VideoFrame.from_ndarray(_colour(pixels), format="rgb24")))
        film.mux(stream.encode(None))


def write_gif(path: Path, frames: Iterator[Pixels], *, fps: float) -> None:
    """Write an animated GIF that runs for ever; its 256 colours a frame are not the frame's own."""
    first = Image.fromarray(_colour(next(frames)))
    rest = (Image.fromarray(_colour(pixels)) for pixels in frames)
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
        for number, pixels in enumerate(_chain(first, frames)):
            kept[number] = pixels
        kept.flush()


def write_png(folder: Path, frames: Iterator[Pixels], count: int) -> None:
    """Write a PNG a frame, numbered from 0 with as many digits as the last needs."""
    for name in png_names(count):
        pixels = cv2.cvtColor(_colour(next(frames)), cv2.COLOR_RGB2BGR)
        write_bytes(folder / name, cv2.imencode(".png", pixels)[1].tobytes())


def png_names(count: int) -> list[str]:
    """Return the names of the PNG files of that many frames."""
    digits = len(str(count - 1))
    return [f"{number:0{digits}d}.png" for number in range(count)]


def _chain(first: Pixels, rest: Iterator[Pixels]) -> Iterator[Pixels]:
    yield first
    yield from rest


def _colour(pixels: Pixels) -> Pixels:
    return np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels
