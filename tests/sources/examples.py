"""Small real sources of every kind, for the contract test and its neighbours."""

import io
import json
import pickle
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
from PIL import Image

from brittle.types import UInt8


def pixels(seed: int, height: int = 5, width: int = 7, channels: int = 3) -> UInt8:
    shape = (height, width, channels) if channels > 1 else (height, width)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def encoded(seed: int, form: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels(seed)).save(stream, form, **options)
    return stream.getvalue()


def write(path: Path, data: bytes | str = b"") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def write_tar(path: Path, files: Mapping[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


class Python2Pickler(pickle._Pickler):
    """Writes as Python 2 and the NumPy of its day did: 8-bit strings, old module names."""

    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def save_string(self, value: bytes | str) -> None:
        data = value if isinstance(value, bytes) else value.encode("latin1")
        self.write(pickle.BINSTRING + len(data).to_bytes(4, "little") + data)
        self.memoize(value)

    dispatch[bytes] = save_string
    dispatch[str] = save_string

    def save_global(self, value: object, name: str | None = None) -> None:
        module = "numpy" if value in (np.ndarray, np.dtype) else "numpy.core.multiarray"
        short = name or value.__name__
        self.write(pickle.GLOBAL + f"{module}\n{short}\n".encode())
        self.memoize(value)

    dispatch[type(np.ndarray)] = save_global
    dispatch[type(lambda: 0)] = save_global
    dispatch[type(len)] = save_global


def python2_pickle(value: object) -> bytes:
    stream = io.BytesIO()
    Python2Pickler(stream, protocol=2).dump(value)
    return stream.getvalue()


def cifar_rows(seed: int, count: int) -> UInt8:
    return np.random.default_rng(seed).integers(0, 256, (count, 3072), dtype=np.uint8)


CIFAR_10 = ("airplane", "automobile", "bird", "cat")


def cifar_10(root: Path, count: int = 6) -> Path:
    batches = ["test_batch", *(f"data_batch_{number}" for number in range(1, 6))]
    for seed, name in enumerate(batches):
        labels = [(seed + row) % len(CIFAR_10) for row in range(count)]
        batch = {b"data": cifar_rows(seed, count), b"labels": labels, b"batch_label": b"one"}
        write(root / name, python2_pickle(batch))
    write(root / "batches.meta", python2_pickle({b"label_names": [n.encode() for n in CIFAR_10]}))
    return root


def folder(root: Path) -> Path:
    write(root / "zebra" / "b.JPEG", encoded(1, "JPEG"))
    write(root / "zebra" / "a.png", encoded(2))
    write(root / "ant" / "deep" / "er.webp", encoded(3, "WEBP", lossless=True))
    write(root / "ant" / "c.tif", encoded(4, "TIFF"))
    write(root / "ant" / "d.bmp", encoded(5, "BMP"))
    return root


def arrays(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    np.save(root / "images.npy", np.stack([pixels(seed, 6, 4) for seed in range(8)]))
    np.save(root / "labels.npy", np.array([1, 0, 1, 2, 2, 0, 1, 1]))
    write(root / "classes.txt", "bee\nant\ncat\n")
    return root


def tiny(root: Path) -> Path:
    rows = [("val_10.JPEG", "n02"), ("val_2.JPEG", "n01"), ("val_0.JPEG", "n02")]
    for seed, (name, _) in enumerate(rows):
        write(root / "val" / "images" / name, encoded(seed, "JPEG"))
    table = "".join(f"{name}\t{wnid}\t0\t0\t5\t6\n" for name, wnid in rows)
    write(root / "val" / "val_annotations.txt", table)
    write(root / "wnids.txt", "n02\nn01\n")
    return root


def shards(root: Path) -> Path:
    for number in range(2):
        files = {f"n0{number}/{number}{row}.png": encoded(10 * number + row) for row in range(4)}
        write_tar(root / f"data-{number:06d}.tar", files)
    return root


def annotation(*objects: tuple[str, int]) -> str:
    listed = "".join(
        f"<object><name>{name}</name><difficult>{hard}</difficult>"
        f"<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>"
        for name, hard in objects
    )
    return f"<annotation><filename>x.jpg</filename>{listed}</annotation>"


def voc(root: Path) -> Path:
    rows = {
        "000012": (("dog", 0), ("person", 0), ("dog", 0)),
        "000003": (("cat", 0), ("chair", 1)),
        "000007": (("sofa", 1),),
        "000099": (("train", 0),),
    }
    for seed, (key, objects) in enumerate(rows.items()):
        write(root / "JPEGImages" / f"{key}.jpg", encoded(seed, "JPEG"))
        write(root / "Annotations" / f"{key}.xml", annotation(*objects))
    write(root / "ImageSets" / "Main" / "test.txt", "000012\n000003\n000007\n")
    write(root / "ImageSets" / "Main" / "trainval.txt", "000099  1\n")
    return root


def coco(root: Path) -> Path:
    files = {9: "0009.jpg", 4: "0004.jpg", 25: "0025.jpg"}
    for seed, name in enumerate(files.values()):
        write(root / "val2017" / name, encoded(seed, "JPEG"))
    objects = [(9, 18), (9, 1), (9, 18), (4, 1)]
    data = {
        "images": [{"id": number, "file_name": name} for number, name in files.items()],
        "annotations": [{"image_id": one, "category_id": what} for one, what in objects],
        "categories": [{"id": 18, "name": "hot dog"}, {"id": 1, "name": "person"}],
    }
    write(root / "annotations" / "instances_val2017.json", json.dumps(data))
    return root


def csv(root: Path) -> Path:
    for seed in range(3):
        write(root / f"{seed}.png", encoded(seed))
    write(root / "labels.csv", "image,labels\n2.png,dog|cat\n0.png,\n1.png,bird\n")
    return root


EXAMPLES: dict[str, Callable[[Path], Path]] = {
    "arrays": arrays,
    "cifar": cifar_10,
    "coco": coco,
    "csv": csv,
    "folder": folder,
    "shards": shards,
    "tiny": tiny,
    "voc": voc,
}

SPECS = {"anomaly": "anomaly:blobs(count=4, side=16)", "package": "package:foolbox/cifar10"}
"""The kinds that are no place: their pictures are made, or lie in an installed package."""
UNLABELLED = frozenset({"anomaly"})

MANY = frozenset({"coco", "csv", "voc"})
"""The kinds whose labels name several classes."""
