"""Corrupting image files into image files: what is read, where it goes, how it is written."""

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from PIL import Image, ImageOps
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from brittle._corrupt import apply_to
from brittle.codec import encode_jpeg
from brittle.conditions import Condition
from brittle.errors import BuildError, ImageError, SourceError, SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.files import write_bytes
from brittle.layouts import Cell
from brittle.progress import Progress
from brittle.sources import SUFFIXES, Broken, Item, Source, open_source
from brittle.types import UInt8

T = TypeVar("T")

FORMATS = ("png", "jpg", "same")
QUALITY = 95
_JPEG = (".jpg", ".jpeg")
_ALPHA = (".png", ".webp", ".tif", ".tiff")
"""The endings of files that can hold alpha."""


class Task(NamedTuple):
    """One picture to read; its key names it to the draws and in the output."""

    source: Source
    item: Item


def find(inputs: Sequence[str], *, exif: bool) -> list[Task]:
    """List the pictures in files and folders; twin keys are a `SourceError`."""
    tasks: dict[str, Task] = {}
    for place in inputs:
        source = open_source(place, exif=exif)
        for item in source.items:
            if item.key in tasks:
                first = tasks[item.key]
                raise SourceError(
                    f"{first.source.root / first.item.name} and {source.root / item.name} have "
                    f"both the key {item.key}, so they would be one file; corrupt them apart."
                )
            if any(part in ("", ".", "..") for part in item.key.split("/")):
                raise SourceError(f"{item.name} has a key that is no path: {item.key!r}.")
            tasks[item.key] = Task(source, item)
    return list(tasks.values())


def targets(
    tasks: Sequence[Task], cells: Sequence[Cell], out: Path, form: str | None
) -> dict[tuple[str, str], Path]:
    """Return the file of every (key, condition).

    One picture goes to `out` itself where that is the name of an image file; else everything goes
    into the folder `out`, as `condition/key.ending`.
    """
    count = len(tasks) * len(cells)
    if count == 1 and out.suffix and out.suffix.lower() not in SUFFIXES and not out.is_dir():
        raise SpecError(
            f"{out} has an ending that cannot be written; use one of {', '.join(SUFFIXES)}, or "
            f"name a folder without a dot."
        )
    if out.suffix.lower() in SUFFIXES and not out.is_dir():
        if count != 1:
            raise SpecError(
                f"{out} is the name of one file, but {count} pictures would be made; give a folder."
            )
        if form is not None and _ending(form, out.suffix).lower() != out.suffix.lower():
            raise SpecError(f"{out} and --format {form} contradict each other; leave one out.")
        return {(tasks[0].item.key, cells[0].name): out}
    return {
        (task.item.key, cell.name): out
        / cell.place
        / f"{task.item.key}{_ending(form or 'png', Path(task.item.name).suffix)}"
        for task in tasks
        for cell in cells
    }


def refuse_within(inputs: Sequence[str], out: Path) -> None:
    """Refuse to write into a folder that is read: its pictures would be the next run's sources."""
    for place in map(Path, inputs):
        if place.is_dir() and out.resolve().is_relative_to(place.resolve()):
            raise SpecError(f"{out} lies inside {place}, which is being read; write elsewhere.")


def refuse_overwriting(paths: Sequence[Path]) -> None:
    """Refuse before the work begins if any file is there."""
    there = [path for path in paths if path.exists()]
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise BuildError(f"{there[0]}{more} would be overwritten; use --force or another OUT.")


def page_path(out: str, *, noun: str, force: bool) -> Path:
    """Return where a sheet or a strip goes; what is no PNG file, or is there, is refused."""
    path = Path(out)
    if path.suffix.lower() != ".png":
        raise SpecError(f"A {noun} is a PNG file; give -o a name that ends in .png, not {path}.")
    if not force:
        refuse_overwriting([path])
    return path


def write_page(path: Path, page: Image.Image) -> None:
    """Write a whole PNG file or none."""
    stream = io.BytesIO()
    page.save(stream, "PNG", optimize=True)
    write_bytes(path, stream.getvalue())


def run(
    tasks: Sequence[Task],
    cells: Sequence[Cell],
    paths: dict[tuple[str, str], Path],
    *,
    seed: int,
    quality: int = QUALITY,
    workers: int | None = None,
    quiet: bool = True,
) -> list[Broken]:
    """Corrupt every picture by every condition and write it; returns what did not decode."""

    def one(task: Task) -> Broken | None:
        item = task.item
        try:
            picture = load(task)
            for cell in cells:
                path = paths[item.key, cell.name]
                assert isinstance(cell.condition, Condition)
                pixels = apply_to(cell.condition, picture, seed, item.key)
                write_bytes(path, encode(pixels, path.suffix.lower(), quality))
        except ImageError as error:
            said = str(error).removeprefix(f"{item.name}: ")
            return Broken(str(task.source.root / item.name), said)
        return None

    try:
        return [broken for broken in mapped(one, tasks, workers, quiet) if broken is not None]
    except OSError as error:
        raise BuildError(
            f"{error.filename or 'A picture'} cannot be written ({error.strerror or error}); "
            f"give another OUT, or make room there."
        ) from error


def mapped(
    function: Callable[[Task], T],
    tasks: Sequence[Task],
    workers: int | None,
    quiet: bool,
    label: str = "corrupting",
) -> Iterator[T]:
    """Map over the pictures with threads and a progress bar."""
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise SpecError(f"--workers must be at least 1; got {workers}.")
    executor = EXECUTORS.load("serial" if workers == 1 else "threads")
    with Progress(len(tasks), label=label, quiet=quiet or len(tasks) == 1) as progress:
        for result in executor.map(function, tasks, workers=workers):
            progress.advance()
            yield result


def load(task: Task) -> UInt8:
    """Return H x W x 3, or H x W x 4 where a PNG or WebP file holds alpha."""
    data = task.source.read(task.item)
    pixels = task.source.decode(task.item, data)
    alpha = _alpha(data, exif=getattr(getattr(task.source, "options", None), "exif", False))
    if alpha is None or alpha.shape != pixels.shape[:2]:
        return pixels
    return np.dstack([pixels, alpha])


def encode(pixels: UInt8, ending: str, quality: int) -> bytes:
    """Return the file of a picture; formats without alpha lose it."""
    if pixels.shape[2] == 4 and ending not in _ALPHA:
        pixels = np.ascontiguousarray(pixels[:, :, :3])
    if ending in _JPEG:
        return encode_jpeg(pixels, quality)
    if ending == ".png":
        order = cv2.COLOR_RGBA2BGRA if pixels.shape[2] == 4 else cv2.COLOR_RGB2BGR
        return bytes(cv2.imencode(".png", cv2.cvtColor(pixels, order))[1].tobytes())
    stream = io.BytesIO()
    if ending == ".webp":
        Image.fromarray(pixels).save(stream, "WEBP", lossless=True, exact=True)
    elif ending == ".bmp":
        Image.fromarray(pixels).save(stream, "BMP")
    else:
        Image.fromarray(pixels).save(stream, "TIFF", compression="tiff_adobe_deflate")
    return stream.getvalue()


def _ending(form: str, own: str) -> str:
    if form == "same":
        return own if own.lower() in SUFFIXES else ".png"
    return f".{form}"


def _alpha(data: bytes, *, exif: bool) -> UInt8 | None:
    """Read the alpha of a file that was decoded before, so that it is whole and not too large."""
    if data.startswith(b"\x89PNG"):
        opened: Image.Image = PngImageFile(io.BytesIO(data))
    elif data[8:12] == b"WEBP":
        opened = WebPImageFile(io.BytesIO(data))
    else:
        return None
    if not opened.has_transparency_data or opened.mode not in ("LA", "PA", "RGBA", "P", "L", "RGB"):
        return None
    upright = ImageOps.exif_transpose(opened) if exif else opened
    return np.asarray(upright.convert("RGBA").getchannel("A"))
