"""The validation part of Tiny ImageNet as published: flat images and a table of annotations.

The root, or its `val`, holds `images/val_0.JPEG` and so on, and `val_annotations.txt` with the
columns file, wnid and box. An item has the key `<wnid>/val_0` and the wnid as its label. The
classes are those of the root's `wnids.txt` in its order if it is there, else in ABC order.
"""

from pathlib import Path

from brittle.errors import SourceError
from brittle.files import plain
from brittle.sources._classes import read_names
from brittle.sources._files import Files
from brittle.sources._keys import is_image, labels_of, ordered, some, without_suffix
from brittle.sources._tree import files_in
from brittle.sources.base import Item, Kind, Options

TABLE = "val_annotations.txt"


def recognises(path: Path) -> bool:
    """Tell if the table of annotations is there."""
    return (path / "val" / TABLE).is_file() or (path / TABLE).is_file()


def open_tiny(path: Path, options: Options) -> Files:
    """Join the table with the images; either without the other is a `SourceError`."""
    val = path / "val" if (path / "val" / TABLE).is_file() else path
    if not (val / TABLE).is_file():
        raise SourceError(
            f"There is no {TABLE} in {path} or in its val; give Tiny ImageNet's root."
        )
    labels = _annotations(val / TABLE)
    files = files_in(val / "images")
    images = {name for name in files if is_image(name)}
    _refuse(images - labels.keys(), f"are in {val / 'images'} but not in {TABLE}")
    _refuse(labels.keys() - images, f"are in {TABLE} but not in {val / 'images'}")
    if not images:
        raise SourceError(f"There are no images in {val / 'images'}, and none in {TABLE}.")
    items = ordered(
        Item(f"{wnid}/{plain(without_suffix(name))}", wnid, f"images/{name}")
        for name, wnid in labels.items()
    )
    listed = val.parent / "wnids.txt"
    classes = read_names(listed) if listed.is_file() else labels_of(items)
    _refuse(set(labels_of(items)) - set(classes), f"are classes in {TABLE} but not in {listed}")
    return Files("tiny", val, items, classes, options, len(files) - len(images))


def _annotations(path: Path) -> dict[str, str]:
    labels: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8", "surrogateescape").splitlines(), 1):
        name, tab, rest = line.partition("\t")
        wnid = rest.partition("\t")[0].strip()
        if not tab or not name or not wnid or "/" in wnid or wnid in (".", ".."):
            raise SourceError(
                f"{path} has {line[:60]!r} in line {number}; it must be a file name, a tab, a wnid."
            )
        if name in labels:
            raise SourceError(f"{path} has {name} twice, again in line {number}; keep one line.")
        labels[name] = wnid
    return labels


def _refuse(names: set[str], what: str) -> None:
    if names:
        raise SourceError(f"{some(names)} {what}; unpack the archive again.")


PART = Kind(
    layout="val/images/val_0.JPEG with val/val_annotations.txt, as Tiny ImageNet is published",
    recognises=recognises,
    open=open_tiny,
)
