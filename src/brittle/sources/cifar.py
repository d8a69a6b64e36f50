"""The Python version of CIFAR-10 and CIFAR-100, as its authors publish it.

`cifar-10-batches-py` holds `data_batch_1` to `data_batch_5`, `test_batch` and `batches.meta`;
`cifar-100-python` holds `train`, `test` and `meta`, of which the hundred fine labels are taken.
The order of rows and classes is the published one. The files are pickles, which are read without
running anything.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from brittle.errors import SourceError
from brittle.sources._pickles import read_pickle, text
from brittle.sources._rows import Rows, as_rows, row_items
from brittle.sources.base import Kind, Options
from brittle.types import UInt8


class _Edition(NamedTuple):
    """The file names and the keys of one of the two sets."""

    meta: str
    names: str
    labels: str
    splits: dict[str, tuple[str, ...]]


_TEN = _Edition(
    meta="batches.meta",
    names="label_names",
    labels="labels",
    splits={
        "test": ("test_batch",),
        "train": tuple(f"data_batch_{number}" for number in range(1, 6)),
    },
)
_HUNDRED = _Edition(
    meta="meta",
    names="fine_label_names",
    labels="fine_labels",
    splits={"test": ("test",), "train": ("train",)},
)


def recognises(path: Path) -> bool:
    """Tell if the folder holds CIFAR's files, or most of them."""
    return _edition(path) is not None


def open_cifar(path: Path, options: Options) -> Rows:
    """Read the batches of one split."""
    edition = _edition(path)
    if edition is None:
        raise SourceError(
            f"{path} is not a folder of CIFAR batches: looked for batches.meta and test_batch, or "
            f"for meta and test, of the Python version."
        )
    files = edition.splits[options.split]
    missing = [name for name in (edition.meta, *files) if not (path / name).is_file()]
    if missing:
        raise SourceError(f"{path} lacks {', '.join(missing)}; unpack the archive again.")
    classes = _class_names(path / edition.meta, edition.names)
    images, labels, names = [], [], []
    for file in files:
        rows, indices = _batch(path / file, edition.labels, len(classes))
        images.append(rows)
        labels += [classes[index] for index in indices]
        names += [f"{file}[{row}]" for row in range(len(rows))]
    planes = np.concatenate(images) if len(images) > 1 else images[0]
    pixels = as_rows(planes.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), str(path))
    return Rows("cifar", path, row_items(labels, names), classes, pixels, options.max_pixels)


def _edition(path: Path) -> _Edition | None:
    def there(*names: str) -> bool:
        return all((path / name).is_file() for name in names)

    if there("batches.meta") or there("test_batch") or there("data_batch_1"):
        return _TEN
    return _HUNDRED if there("meta", "test") or there("meta", "train") else None


def _class_names(path: Path, key: str) -> tuple[str, ...]:
    found = read_pickle(path).get(key)
    names = tuple(map(text, found)) if isinstance(found, list) else ()
    if not names or len(set(names)) < len(names):
        raise SourceError(f"{path} holds no list of distinct class names under '{key}'.")
    return names


def _batch(path: Path, key: str, classes: int) -> tuple[UInt8, list[int]]:
    batch = read_pickle(path)
    data, labels = batch.get("data"), batch.get(key)
    if not isinstance(data, np.ndarray) or data.ndim != 2 or data.shape[1] != 3 * 32 * 32:
        raise SourceError(f"{path} holds no N x 3072 array of uint8 under 'data'.")
    if not isinstance(labels, list) or len(labels) != len(data):
        raise SourceError(f"{path} holds no list of {len(data)} labels under '{key}'.")
    wrong = [label for label in labels if type(label) is not int or not 0 <= label < classes]
    if wrong:
        raise SourceError(
            f"{path} holds the label {wrong[0]!r}; there are {classes} classes, from 0 on."
        )
    return data, labels


PART = Kind(
    layout="cifar-10-batches-py or cifar-100-python, the Python version of CIFAR",
    recognises=recognises,
    open=open_cifar,
    splits=("test", "train"),
)
