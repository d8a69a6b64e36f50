"""Image files in folders: the first folder below the root is the label.

`root/n01440764/a.JPEG` has the key `n01440764/a` and the label `n01440764`, and so has what lies
deeper, as in `root/n01440764/images/a.JPEG`. An image directly in the root has no label, also when
there are labelled ones beside it. A single image file is a source of one unlabelled image.
"""

from pathlib import Path

from brittle.errors import SourceError
from brittle.files import plain
from brittle.sources._files import Files
from brittle.sources._keys import is_image, labels_of, ordered, some, without_suffix
from brittle.sources._tree import walk
from brittle.sources.base import SUFFIXES, Item, Kind, Options

_SPLITS = frozenset({"train", "training", "val", "valid", "validation", "test"})


def recognises(path: Path) -> bool:
    """Tell if there is a folder or an image file."""
    return path.is_dir() or (path.is_file() and is_image(path.name))


def open_folder(path: Path, options: Options) -> Files:
    """List the images of a folder, or take a single image file."""
    if not path.is_dir():
        return _single(path, options)
    names = list(walk(path))
    images = [name for name in names if is_image(name)]
    if not images:
        others = some({_ending(name) for name in names})
        raise SourceError(
            f"There are no images in {path}: looked there and below for files that end in "
            f"{', '.join(SUFFIXES)}"
            + (f", found {len(names)} other files ({others})." if names else ", found no files.")
        )
    _refuse_splits(path, images)
    items = ordered(Item(plain(without_suffix(name)), _label(name), name) for name in images)
    return Files("folder", path, items, labels_of(items), options, len(names) - len(images))


def _label(name: str) -> str | None:
    first, slash, _ = name.partition("/")
    return plain(first) if slash else None


def _single(path: Path, options: Options) -> Files:
    if not is_image(path.name):
        raise SourceError(
            f"{path} is not a source of images: give a folder, an image file "
            f"({', '.join(SUFFIXES)}), a .npy or .npz file, or a .tar file."
        )
    item = Item(plain(without_suffix(path.name)), None, path.name)
    return Files("folder", path.parent, (item,), (), options)


def _refuse_splits(path: Path, images: list[str]) -> None:
    firsts = {name.partition("/")[0] for name in images}
    if firsts <= _SPLITS and all(name.count("/") >= 2 for name in images):
        raise SourceError(
            f"{path} holds {some(firsts)}, which would become the class names; give one of them, "
            f"such as {path / sorted(firsts)[-1]}."
        )


def _ending(name: str) -> str:
    dot = name.rpartition("/")[2].rfind(".")
    return name.rpartition("/")[2][dot:] if dot >= 0 else "without a suffix"


PART = Kind(
    layout="<class>/<image>.JPEG, or images without classes",
    recognises=recognises,
    open=open_folder,
)
