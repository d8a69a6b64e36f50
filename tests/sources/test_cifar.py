from pathlib import Path

import numpy as np
import pytest

from brittle.errors import SourceError
from brittle.sources import Item, open_source, scan
from tests.sources.examples import CIFAR_10, cifar_10, cifar_rows, python2_pickle, write


def cifar_100(root: Path) -> Path:
    for seed, name in enumerate(("train", "test")):
        batch = {
            b"data": cifar_rows(seed, 3),
            b"fine_labels": [2, 0, 1],
            b"coarse_labels": [1, 1, 0],
        }
        write(root / name, python2_pickle(batch))
    names = {
        b"fine_label_names": [b"whale", b"apple", b"lamp"],
        b"coarse_label_names": [b"a", b"b"],
    }
    write(root / "meta", python2_pickle(names))
    return root


def test_the_test_split_in_the_published_order(tmp_path: Path) -> None:
    source = open_source(cifar_10(tmp_path))
    assert source.items[:2] == (
        Item("00000", "airplane", "test_batch[0]"),
        Item("00001", "automobile", "test_batch[1]"),
    )
    assert source.classes == CIFAR_10


def test_pixels_are_stored_plane_by_plane(tmp_path: Path) -> None:
    source = open_source(cifar_10(tmp_path))
    image = source.load(source.items[4])
    stored = cifar_rows(0, 6)[4]
    for channel, row, column in ((0, 0, 0), (1, 3, 30), (2, 31, 31), (0, 31, 5)):
        assert image[row, column, channel] == stored[1024 * channel + 32 * row + column]


def test_the_train_split_joins_the_batches(tmp_path: Path) -> None:
    source = open_source(cifar_10(tmp_path), split="train")
    assert len(source.items) == 30
    assert source.items[0].name == "data_batch_1[0]"
    assert source.items[13] == Item("00013", CIFAR_10[(3 + 1) % 4], "data_batch_3[1]")
    want = cifar_rows(3, 6)[1].reshape(3, 32, 32).transpose(1, 2, 0)
    np.testing.assert_array_equal(source.load(source.items[13]), want)


def test_the_fine_labels_of_the_hundred(tmp_path: Path) -> None:
    for split, seed in (("train", 0), ("test", 1)):
        source = open_source(cifar_100(tmp_path), split=split)
        assert source.classes == ("whale", "apple", "lamp")
        assert [item.label for item in source.items] == ["lamp", "whale", "apple"]
        assert source.items[2].name == f"{split}[2]"
        want = cifar_rows(seed, 3)[2].reshape(3, 32, 32).transpose(1, 2, 0)
        np.testing.assert_array_equal(source.load(source.items[2]), want)


def test_the_same_pictures_as_an_array_have_the_same_fingerprint(tmp_path: Path) -> None:
    source = open_source(cifar_10(tmp_path / "batches"))
    (tmp_path / "array").mkdir()
    np.save(tmp_path / "array" / "x.npy", [source.load(item) for item in source.items])
    labels = [CIFAR_10.index(item.label or "") for item in source.items]
    np.save(tmp_path / "array" / "labels.npy", labels)
    write(tmp_path / "array" / "classes.txt", "\n".join(CIFAR_10))
    assert scan(open_source(tmp_path / "array")).fingerprint == scan(source).fingerprint


def test_missing_files_are_named(tmp_path: Path) -> None:
    cifar_10(tmp_path)
    (tmp_path / "data_batch_2").unlink()
    (tmp_path / "data_batch_4").unlink()
    assert len(open_source(tmp_path).items) == 6
    with pytest.raises(SourceError, match="lacks data_batch_2, data_batch_4; unpack"):
        open_source(tmp_path, split="train")
    (tmp_path / "batches.meta").unlink()
    with pytest.raises(SourceError, match=r"lacks batches.meta"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ({}, "no N x 3072 array of uint8 under 'data'"),
        ({b"data": cifar_rows(0, 2)[:, :100], b"labels": [0, 0]}, "no N x 3072 array"),
        ({b"data": [1, 2], b"labels": [0, 0]}, "no N x 3072 array"),
        ({b"data": cifar_rows(0, 2)}, "no list of 2 labels under 'labels'"),
        ({b"data": cifar_rows(0, 2), b"labels": [0]}, "no list of 2 labels"),
        ({b"data": cifar_rows(0, 2), b"labels": [0, 4]}, "the label 4; there are 4 classes"),
        ({b"data": cifar_rows(0, 2), b"labels": [0, -1]}, "the label -1; there are 4 classes"),
        ({b"data": cifar_rows(0, 2), b"labels": [0, None]}, "the label None"),
        ({b"data": cifar_rows(0, 0), b"labels": []}, "There are no images in"),
    ],
)
def test_other_contents_are_refused(tmp_path: Path, batch: object, message: str) -> None:
    cifar_10(tmp_path)
    write(tmp_path / "test_batch", python2_pickle(batch))
    with pytest.raises(SourceError, match=message):
        open_source(tmp_path)


@pytest.mark.parametrize("names", [{}, {b"label_names": b"abcd"}, {b"label_names": [b"a", b"a"]}])
def test_class_names_must_be_distinct_and_there(tmp_path: Path, names: object) -> None:
    cifar_10(tmp_path)
    write(tmp_path / "batches.meta", python2_pickle(names))
    with pytest.raises(SourceError, match=r"batches.meta holds no list of distinct class names"):
        open_source(tmp_path)


def test_a_folder_of_classes_named_train_and_test_is_not_cifar(tmp_path: Path) -> None:
    for name in ("train", "test", "meta"):
        (tmp_path / name).mkdir()
    with pytest.raises(SourceError, match="no images"):
        open_source(tmp_path)
