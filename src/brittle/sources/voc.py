"""Pascal VOC: `JPEGImages/`, `Annotations/<image>.xml`, and `ImageSets/Main/<split>.txt`.

The items are the images that the split lists, under their numbers (`000005`); the label names every
class of which the image has an object (see `brittle.labels.many`). Objects that are marked
difficult are left out unless `voc(difficult=true)`. VOC's own evaluation takes an image whose only
dog is difficult for neither a dog nor none; a label cannot say that. Classes are VOC's twenty, or
where others occur, those that occur. An annotation with a document type is refused, so that no
entity is expanded.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from xml.parsers import expat

from brittle import labels
from brittle.errors import SourceError
from brittle.files import plain
from brittle.labels import many
from brittle.sources._files import Files
from brittle.sources._keys import is_image, ordered, some, without_suffix
from brittle.sources._tree import files_in
from brittle.sources.base import Item, Kind, Options

IMAGES, OBJECTS, SETS = "JPEGImages", "Annotations", "ImageSets/Main"
SPLITS = ("test", "train", "trainval", "val")


def recognises(path: Path) -> bool:
    """Tell if images and annotations lie in the folders of VOC."""
    return (path / IMAGES).is_dir() and (path / OBJECTS).is_dir()


def open_voc(path: Path, options: Options) -> Files:
    """Join a split with its images and annotations; what lacks one is a `SourceError`."""
    if not recognises(path):
        raise SourceError(
            f"There is no {IMAGES} with {OBJECTS} in {path}; give the folder that holds both, "
            f"such as VOCdevkit/VOC2007."
        )
    listed = _split(path, options.split)
    images = {without_suffix(name): name for name in files_in(path / IMAGES) if is_image(name)}
    notes = {without_suffix(n) for n in files_in(path / OBJECTS) if n.lower().endswith(".xml")}
    for there, where in ((images.keys(), IMAGES), (notes, OBJECTS)):
        if missing := [key for key in listed if key not in there]:
            raise SourceError(
                f"{some(missing)} {'is' if len(missing) == 1 else 'are'} in the split "
                f"{options.split} but not in {path / where}; unpack the archive again."
            )
    difficult = bool(options.params.get("difficult", False))
    items = ordered(
        Item(plain(key), many.join(_objects(path / OBJECTS / f"{key}.xml", difficult)), images[key])
        for key in listed
    )
    found = {name for item in items for name in many.split(item.label or "")}
    own = labels.known("voc")
    classes = own if found <= set(own) else tuple(sorted(found))
    return Files("voc", path / IMAGES, items, classes, options)


def _split(path: Path, split: str) -> list[str]:
    place = path / SETS / f"{split}.txt"
    if not place.is_file():
        there = [name for name in SPLITS if (path / SETS / f"{name}.txt").is_file()]
        raise SourceError(
            f"There is no {place}, which lists the images of the split '{split}'; "
            + (f"there {'are' if there[1:] else 'is'} {', '.join(there)} (--split {there[0]})."
               if there else f"looked for {', '.join(SPLITS)} in {path / SETS}.")
        )  # fmt: skip
    lines = place.read_text("utf-8", "surrogateescape").splitlines()
    listed = [line.split()[0] for line in lines if line.strip()]
    if not listed:
        raise SourceError(f"There are no images in {place}: it lists none.")
    if len(set(listed)) < len(listed):
        twice = next(key for key in listed if listed.count(key) > 1)
        raise SourceError(f"{place} has {twice} twice; keep one line.")
    return listed


def _objects(path: Path, difficult: bool) -> Iterator[str]:
    for name, hard in read_objects(path):
        if difficult or not hard:
            yield name


def read_objects(path: Path) -> list[tuple[str, bool]]:
    """Return the class name of every object in an annotation, and whether it is difficult."""
    found: list[tuple[str, bool]] = []
    above: list[str] = []
    texts: dict[str, str] = {}

    def begin(tag: str, _: dict[str, str]) -> None:
        above.append(tag)
        if above == ["annotation", "object"]:
            texts.clear()

    def text(data: str) -> None:
        # An object's parts (head, hand) have names as well, one level further down.
        if len(above) == 3 and above[:2] == ["annotation", "object"]:
            texts[above[2]] = texts.get(above[2], "") + data

    def end(_: str) -> None:
        if above == ["annotation", "object"]:
            name, hard = texts.get("name", "").strip(), texts.get("difficult", "0").strip()
            if not name or hard not in ("0", "1"):
                raise SourceError(
                    f"{path} has an object with the name {name!r} and difficult {hard!r}; there "
                    f"must be a class name, and 0 or 1."
                )
            found.append((name, hard == "1"))
        above.pop()

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refusing(path)
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(path.read_bytes(), True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # The latter two of encodings.
        raise SourceError(f"{path} is not a whole XML file ({error}).") from error
    return found


def _refusing(path: Path) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise SourceError(
            f"{path} declares a document type, which could expand into anything; an annotation of "
            f"VOC has none. Remove the line that begins with <!DOCTYPE."
        )

    return refuse


PART = Kind(
    layout="JPEGImages/000005.jpg, Annotations/000005.xml, ImageSets/Main/test.txt, as Pascal VOC",
    recognises=recognises,
    open=open_voc,
    splits=SPLITS,
    params={"difficult": bool},
)
