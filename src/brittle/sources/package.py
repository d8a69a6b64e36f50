"""Labelled pictures inside an installed Python package: `package:foolbox/imagenet`.

foolbox carries twenty pictures of each of several data sets, named `imagenet_00_243.jpg`: the set,
a number, the index of the class. Keys are `imagenet_00`, labels the class names of that index. The
package is found and not imported, so none of its code runs.
"""

import os
import re
from importlib.util import find_spec
from pathlib import Path

from brittle import labels
from brittle.errors import MissingExtraError, SourceError
from brittle.families import hint
from brittle.sources._files import Files
from brittle.sources._keys import labels_of, ordered
from brittle.sources.base import Item, Kind, Options

PREFIX = "package:"
SETS = ("cifar10", "cifar100", "imagenet")
"""Those of foolbox's sets that have colours; each is also a list of class names."""

_NAME = re.compile(r"(?P<key>(?P<set>[a-z0-9]+)_\d+)_(?P<index>\d+)\.(?:jpg|png)")


def recognises(path: Path) -> bool:
    """Tell if it is the text of a package, and no file."""
    return str(path).startswith(PREFIX) and not os.path.lexists(path)


def open_package(path: Path, options: Options) -> Files:
    """List the pictures of one set."""
    if not recognises(path):
        raise SourceError(f"There is no package in {path}; write {PREFIX}foolbox/imagenet.")
    package, _, name = str(path).removeprefix(PREFIX).partition("/")
    if package != "foolbox":
        raise SourceError(hint(package, ["foolbox"], "package with pictures"))
    if name not in SETS:
        raise SourceError(f"{path}: {hint(name, SETS, 'set of pictures in foolbox')}")
    root, known = _folder(), labels.known(name)
    matched = (_NAME.fullmatch(file.name) for file in root.iterdir())
    items = ordered(
        Item(one["key"], known[int(one["index"])], one.string)
        for one in matched
        if one is not None and one["set"] == name
    )
    if not items:
        raise SourceError(f"There are no pictures of {name} in {root}; another foolbox has them.")
    return Files("package", root, items, labels_of(items), options)


def _folder() -> Path:
    found = find_spec("foolbox")
    if found is None or found.origin is None:
        raise MissingExtraError(
            "These pictures come with foolbox, which is not installed. Install it: pip install "
            "'brittle[demo]' (in a checkout: pip install '.[demo]')."
        )
    return Path(found.origin).parent / "data"


PART = Kind(
    layout="package:foolbox/<set>, twenty pictures of imagenet, cifar10 or cifar100",
    recognises=recognises,
    open=open_package,
)
