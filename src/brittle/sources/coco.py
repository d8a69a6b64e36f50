"""COCO: `instances_val2017.json`, and the images that it lists.

The path is the JSON file, or a folder that holds one (directly or in `annotations/`). The images
are looked for in `images/`, in `val2017/` (after the file's name) and beside the file, there and
one folder up; `coco(images=DIR)` says where. Items have the file's name without its suffix as key,
and a label that names every category of which the image has an object, crowds included (see
`brittle.labels.many`); an image without objects has the empty label. Classes are the file's
categories in the order of their numbers.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brittle.errors import SourceError
from brittle.files import plain
from brittle.labels import many
from brittle.sources._files import Files
from brittle.sources._keys import ordered, some, without_suffix
from brittle.sources._table import listed_in
from brittle.sources._tree import files_in
from brittle.sources.base import Item, Kind, Options

START = "instances_"
_LISTS = ("images", "annotations", "categories")
_KEPT = (*_LISTS, "id", "file_name", "image_id", "category_id", "name")


def recognises(path: Path) -> bool:
    """Tell if it is a file of instances, or a folder that holds one."""
    if path.is_file():
        return _is_instances(path.name)
    return bool(_files(path))


def open_coco(path: Path, options: Options) -> Files:
    """Read the JSON file whole and join it with its images."""
    file = _only(path) if path.is_dir() else path
    images, annotations, categories = _read(file)
    names: dict[Any, str] = {}
    for number, name in sorted(_pairs(categories, "name", file)):
        if name in names.values():
            raise SourceError(f"{file} has two categories named {name}; tell them apart.")
        names[number] = name
    files = dict(_pairs(images, "file_name", file))
    if not files:
        raise SourceError(f"There are no images in {file}: its list is empty.")
    found: dict[Any, set[str]] = {number: set() for number in files}
    for one in annotations:
        image, category = _field(one, "image_id", file), _field(one, "category_id", file)
        if image not in found or category not in names:
            raise SourceError(
                f"{file} has an object of image {image} and category {category}, of which it does "
                f"not list both; get the whole file again."
            )
        found[image].add(names[category])
    root = _root(file, options.params.get("images"), next(iter(files.values())))
    ignored = listed_in(root, files.values(), file)
    items = ordered(
        Item(plain(without_suffix(name)), many.join(found[number]), name)
        for number, name in files.items()
    )
    return Files("coco", root, items, tuple(map(plain, names.values())), options, ignored)


def _is_instances(name: str) -> bool:
    return name.startswith(START) and name.lower().endswith(".json")


def _files(folder: Path) -> list[Path]:
    return [
        place / name
        for place in (folder, folder / "annotations")
        for name in files_in(place)
        if _is_instances(name)
    ]


def _only(folder: Path) -> Path:
    files = _files(folder)
    if not files:
        raise SourceError(f"There is no {START}*.json in {folder} or in its annotations folder.")
    if len(files) > 1:
        raise SourceError(
            f"{folder} holds {some(file.name for file in files)}; give the path of one of them."
        )
    return files[0]


def _read(file: Path) -> tuple[list[Any], list[Any], list[Any]]:
    try:
        data = json.loads(file.read_bytes(), object_hook=_kept)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file} is not JSON ({error}).") from error
    parts = [data.get(name) if isinstance(data, dict) else None for name in _LISTS]
    if not all(isinstance(part, list) for part in parts):
        raise SourceError(
            f"{file} has not the lists {', '.join(_LISTS)}; give an instances file of COCO."
        )
    images, annotations, categories = parts
    return images, annotations, categories  # type: ignore[return-value]


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    # Outlines are most of the file; dropped as they are read, they are never in memory together.
    return {name: row[name] for name in _KEPT if name in row}


def _pairs(rows: list[Any], name: str, file: Path) -> Iterator[tuple[int, str]]:
    seen: set[int] = set()
    for row in rows:
        number = _field(row, "id", file)
        text = row.get(name)
        if not isinstance(text, str) or not text or number in seen:
            raise SourceError(
                f"{file} has the {name} {text!r} under the id {number}; each needs a text, under "
                f"an id of its own."
            )
        seen.add(number)
        yield number, text


def _field(row: Any, name: str, file: Path) -> int:
    value = row.get(name) if isinstance(row, dict) else None
    if type(value) is not int:
        raise SourceError(f"{file} has the {name} {value!r}; it must be a whole number.")
    return value


def _root(file: Path, given: object, first: str) -> Path:
    if given is not None:
        return Path(str(given))
    word = file.name[len(START) : -len(".json")]
    beside = file.parent
    places = [
        place / inner
        for place in (beside, beside.parent)
        for inner in ("images", word, f"images/{word}", "")
    ]
    inside = ".." not in Path(first).parts and not Path(first).is_absolute()
    for place in places:
        if inside and (place / first).is_file():
            return place
    raise SourceError(
        f"There is no {first}, the first image of {file}: looked for it in "
        f"{', '.join(dict.fromkeys(map(str, places)))}. Say where they are: "
        f"--kind 'coco(images=DIR)'."
    )


PART = Kind(
    layout="instances_<name>.json with images/ or <name>/, as COCO",
    recognises=recognises,
    open=open_coco,
    params={"images": str},
)
