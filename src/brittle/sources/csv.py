"""A table of labels in CSV: an image a row, and all of its classes.

The path is the file, or a folder with `labels.csv` and images. The first row names the columns. The
image is in the column `image`, or the first one: a path below `images/` beside the file, or below
the file's folder. The classes are in the column `labels` (or `label`), joined by `|`, or by
another `csv(separator=";")`; a table without such a column has one column a class, with 0 or 1.
An image with no class has the empty label, of no class (see `brittle.labels.many`). Classes come in
ABC order, or in the order of their columns. Options of the kind: `separator`, `image`, `labels`
(names of columns), `images` (the folder).
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from brittle.errors import SourceError, SpecError
from brittle.files import plain
from brittle.labels import many
from brittle.sources._files import Files
from brittle.sources._keys import is_image, ordered, some, without_suffix
from brittle.sources._table import listed_in
from brittle.sources._tree import files_in
from brittle.sources.base import Item, Kind, Options
from brittle.spec import Value

FILE, IMAGES = "labels.csv", "images"
_THERE = {"1": True, "1.0": True, "0": False, "0.0": False}


class _Columns(NamedTuple):
    """Where in a row things stand."""

    image: int
    labels: int | None
    classes: dict[int, str]


def recognises(path: Path) -> bool:
    """Tell if it is a CSV file, or a folder of `labels.csv` and images without class folders."""
    if path.is_file():
        return path.suffix.lower() == ".csv"
    if not (path / FILE).is_file():
        return False
    return (path / IMAGES).is_dir() or any(is_image(name) for name in files_in(path))


def open_csv(path: Path, options: Options) -> Files:
    """Join the table with its images."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise SourceError(f"There is no {FILE} in {path}; give the path of the table.")
    header, rows = _read(file)
    columns = _columns(header, options.params, file)
    separator = str(options.params.get("separator", many.SEPARATOR))
    if not separator:
        raise SpecError("The separator of csv(...) is empty; give what stands between two labels.")
    named: dict[str, str] = {}
    for number, row in rows:
        where = f"{file}, line {number}"
        if len(row) != len(header):
            raise SourceError(f"{where} has {len(row)} cells; there are {len(header)} columns.")
        name = row[columns.image].strip()
        if name in named:
            raise SourceError(f"{where} has {name!r} again; give an image one row.")
        named[name] = _label(row, columns, separator, where)
    if not named:
        raise SourceError(f"There are no images in {file}: it has no row below the first.")
    root = _root(file, options.params.get("images"))
    ignored = listed_in(root, named, file)
    items = ordered(Item(plain(without_suffix(name)), label, name) for name, label in named.items())
    found = sorted({name for label in named.values() for name in many.split(label)})
    classes = tuple(columns.classes.values()) or tuple(found)
    return Files("csv", root, items, classes, options, ignored)


def _read(file: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            rows = [(reader.line_num, row) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"{file} cannot be read as CSV in UTF-8 ({error}).") from error
    if not rows:
        raise SourceError(f"There are no images in {file}: it is empty.")
    return [cell.strip() for cell in rows[0][1]], rows[1:]


def _columns(header: Sequence[str], given: Mapping[str, Value], file: Path) -> _Columns:
    if len(set(header)) < len(header) or not all(header):
        raise SourceError(f"{file} has a column without a name, or two of one name: {header}.")

    def place(key: str, *usual: str) -> int | None:
        names = (str(given[key]),) if key in given else usual
        for name in names:
            if name in header:
                return header.index(name)
        if key in given:
            raise SourceError(f"{file} has no column {given[key]}; it has {some(header)}.")
        return None

    image = place("image", "image") or 0
    labels = place("labels", "labels", "label")
    if labels == image or len(header) < 2:
        raise SourceError(
            f"{file} has the columns {some(header)}; one must hold the image and another its "
            f"labels."
        )
    rest = {at: plain(name) for at, name in enumerate(header) if at != image}
    many.join(rest.values() if labels is None else ())
    return _Columns(image, labels, rest if labels is None else {})


def _label(row: Sequence[str], columns: _Columns, separator: str, where: str) -> str:
    if columns.labels is not None:
        cell = row[columns.labels].strip()
        names = [name.strip() for name in cell.split(separator)] if cell else []
        if not all(names):
            raise SourceError(
                f"{where} has the labels {cell!r}; there must be a name on both sides of "
                f"'{separator}'."
            )
        return many.join(names)
    there = []
    for at, name in columns.classes.items():
        if row[at].strip() not in _THERE:
            raise SourceError(
                f"{where} has {row[at]!r} for {name}; without a column named labels, every other "
                f"one is a class with 0 or 1."
            )
        if _THERE[row[at].strip()]:
            there.append(name)
    return many.join(there)


def _root(file: Path, given: Value | None) -> Path:
    if given is not None:
        return Path(str(given))
    return file.parent / IMAGES if (file.parent / IMAGES).is_dir() else file.parent


PART = Kind(
    layout="labels.csv (image, labels) beside images or images/",
    recognises=recognises,
    open=open_csv,
    params={"separator": str, "image": str, "labels": str, "images": str},
)
