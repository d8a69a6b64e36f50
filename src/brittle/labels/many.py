"""Label texts that name several classes: `cat|dog`, in ABC order.

An item of a multi-label source has all of its classes in one text, joined by `|`, which no class
name may hold. The empty text says that none of the classes is there; None, as everywhere, that
nobody said. The label of one class is its name, as in any other source.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from brittle.errors import LabelError
from brittle.files import plain

SEPARATOR = "|"
"""Stands between two names; it is in none of the published lists of classes."""

SHOWN = 5


def join(names: Iterable[str]) -> str:
    """Return the label text of these classes, each once and in ABC order.

    An empty name, or one that holds the separator, is a `LabelError`.

    >>> join(["dog", "cat", "dog"]), join([])
    ('cat|dog', '')
    """
    listed = {plain(name) for name in names}
    for name in sorted(listed):
        if not name or SEPARATOR in name:
            raise LabelError(
                f"'{name}' cannot be one of several class names, which are joined by "
                f"'{SEPARATOR}': it must have letters and no '{SEPARATOR}'. Rename the class."
            )
    return SEPARATOR.join(sorted(listed))


def split(text: str) -> tuple[str, ...]:
    """Return the names in a label text, in ABC order; a text of another form is a `LabelError`.

    >>> split("cat|dog"), split("cat"), split("")
    (('cat', 'dog'), ('cat',), ())
    """
    names = tuple(text.split(SEPARATOR)) if text else ()
    if join(names) != text:
        raise LabelError(
            f"'{text}' is no label text: names are joined by '{SEPARATOR}', each once and in ABC "
            f"order. Make it with brittle.labels.many.join."
        )
    return names


def matrix(texts: Sequence[str | None], classes: Sequence[str]) -> NDArray[np.bool_]:
    """Return N x C: whether image n has class c, with the classes in index order.

    An image without a label, or with a name that is not among the classes, is a `LabelError`.

    >>> matrix(["b|c", ""], ["c", "b", "a"]).tolist()
    [[True, True, False], [False, False, False]]
    """
    place = {name: number for number, name in enumerate(classes)}
    if bare := sum(text is None for text in texts):
        raise LabelError(
            f"{bare} of {len(texts)} images {'has' if bare == 1 else 'have'} no label; label them "
            f"(the empty text says that no class is there), or leave them out."
        )
    named = [split(text or "") for text in texts]
    strange = sorted({name for names in named for name in names} - place.keys())
    if strange:
        more = f" and {len(strange) - SHOWN} more" if len(strange) > SHOWN else ""
        raise LabelError(
            f"{', '.join(strange[:SHOWN])}{more} {'is' if len(strange) == 1 else 'are'} not among "
            f"the {len(place)} classes. Labels go by name: give the class names of the model in "
            f"index order, in the words of the labels."
        )
    found = np.zeros((len(texts), len(place)), np.bool_)
    for row, names in enumerate(named):
        found[row, [place[name] for name in names]] = True
    return found
