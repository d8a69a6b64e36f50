"""H.264 films: frames to bytes, and bytes to frames, as the published sequences are stored.

Encoded are libx264 at crf 20, preset veryslow, tuned for grain where there is noise, in full
colour (4:4:4), so that odd sizes fit. The same version of x264 gives the same bytes.
"""

import io
from collections.abc import Iterator
from fractions import Fraction
from typing import IO, Any

import cv2
import numpy as np

from brittle.errors import ImageError, MissingExtraError, SpecError
from brittle.types import Pixels

CRF = 20
FPS = 25
"""Frames a second of a set's films; the rate decides bytes, since x264 weighs frames by time."""
CODEC = f"libx264 crf {CRF} veryslow 4:4:4"
"""What a run says of frames that went through the codec."""
_AVX2, _AVX512 = 11, 13
"""OpenCV's numbers of what a processor can do."""
ENDINGS = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg")
"""The endings of files that are taken for films."""


def need_video() -> Any:
    """Import PyAV, or refuse with the command that installs it."""
    try:
        import av
    except ImportError as error:
        raise MissingExtraError(
            "Films need PyAV: pip install 'brittle[video]' (in a checkout: pip install "
            "'.[video]'). Frames can be written as GIF, npy or png without it."
        ) from error
    return av


def encode(
    target: str | IO[bytes], frames: Iterator[Pixels], *, fps: float, grain: bool, crf: int = CRF
) -> None:
    """Write an MP4 into a file, one frame in memory at a time."""
    av = need_video()
    # One thread: the bytes of x264 depend on their number.
    options = {"crf": str(crf), "preset": "veryslow", "threads": "1", **_steady()}
    if grain:
        options["tune"] = "grain"
    first = next(frames)
    with av.open(target, "w", format="mp4") as film:
        rate = Fraction(fps).limit_denominator(1000)
        stream = film.add_stream("libx264", rate=rate, options=options)
        stream.height, stream.width = first.shape[:2]
        stream.pix_fmt = "yuv444p"
        for pixels in chain(first, frames):
            film.mux(stream.encode(av.VideoFrame.from_ndarray(coloured(pixels), format="rgb24")))
        film.mux(stream.encode(None))


def encoded(frames: Iterator[Pixels], *, grain: bool, fps: float = FPS) -> bytes:
    """Return the bytes of an MP4."""
    stream = io.BytesIO()
    encode(stream, frames, fps=fps, grain=grain)
    return stream.getvalue()


def decoded(film: str | bytes, *, name: str = "", stride: int = 1) -> Iterator[Pixels]:
    """Yield the frames of a film, H x W x 3, or every so many-th; `film` is a path or bytes.

    Frames that a player shows turned, as those of a telephone held upright, are turned alike.
    """
    av = need_video()
    try:
        with av.open(io.BytesIO(film) if isinstance(film, bytes) else film) as opened:
            stream = _stream(opened, _called(film, name))
            # One thread a film: the films themselves are shared out among threads.
            stream.thread_type = "NONE"
            for number, frame in enumerate(opened.decode(stream)):
                if number % stride == 0:
                    pixels = frame.to_ndarray(format="rgb24")
                    turns = _turns(frame)
                    yield np.ascontiguousarray(np.rot90(pixels, turns)) if turns else pixels
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise ImageError(f"{_called(film, name)} is no film that can be read ({error}).") from error


def measure(path: str, *, most: int | None = None) -> tuple[int, tuple[int, int]]:
    """Return how many frames a film shows, and the height and width of the largest.

    They are decoded: a container also lists frames that are cut off or never shown. Beyond `most`
    nothing is counted, so that a long film is refused soon.
    """
    av = need_video()
    count, height, width = 0, 0, 0
    try:
        with av.open(path) as opened:
            stream = _stream(opened, path)
            stream.thread_type = "NONE"
            for frame in opened.decode(stream):
                lying = _turns(frame) % 2
                size = (frame.width, frame.height) if lying else (frame.height, frame.width)
                count, height, width = count + 1, max(height, size[0]), max(width, size[1])
                if most is not None and count > most:
                    break
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise ImageError(f"{path} is no film that can be read ({error}).") from error
    return count, (height, width)


def through(frames: Iterator[Pixels], *, grain: bool) -> Iterator[Pixels]:
    """Yield the frames as they are after the codec."""
    yield from decoded(encoded(frames, grain=grain))


def check_codec(edition: Any, *, codec: bool) -> None:
    """Refuse a codec for an edition that is published without one, or that is not installed."""
    if not codec:
        return
    if not edition.film:
        raise SpecError(
            f"The sequences of {edition.name} are stored without a codec; leave --codec out."
        )
    need_video()


def chain(first: Pixels, rest: Iterator[Pixels]) -> Iterator[Pixels]:
    """Yield the first, then the rest."""
    yield first
    yield from rest


def coloured(pixels: Pixels) -> Pixels:
    """Return pixels of three channels."""
    return np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels


def _turns(frame: Any) -> int:
    """Return the quarter turns, counter-clockwise, by which a player turns a frame."""
    # Early versions of PyAV 14 do not say it.
    return round(getattr(frame, "rotation", 0) / 90)


def _steady() -> dict[str, str]:
    """Return what keeps x264 off AVX-512, with which it gives other bytes from call to call.

    Its macroblock tree is the cause; AVX2 and below were equal in hundreds of films.
    """
    has_avx2, has_avx512 = (cv2.checkHardwareSupport(number) for number in (_AVX2, _AVX512))
    if not (has_avx2 and has_avx512):
        return {}
    return {"x264-params": "asm=SSE2,SSSE3,SSE4.2,AVX,BMI2,AVX2"}


def _called(film: str | bytes, name: str) -> str:
    return name or (film if isinstance(film, str) else "A film in memory")


def _stream(opened: Any, name: str) -> Any:
    if not opened.streams.video:
        raise ImageError(f"{name} holds no pictures.")
    return opened.streams.video[0]
