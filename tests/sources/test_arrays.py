import sys
from pathlib import Path

import numpy as np
import pytest

from brittle.errors import SourceError
from brittle.sources import Item, open_source, scan
from tests.sources.examples import arrays, encoded, pixels, write

STACK = np.stack([pixels(seed, 6, 4) for seed in range(8)])


def test_rows_keep_their_order_and_names(tmp_path: Path) -> None:
    source = open_source(arrays(tmp_path))
    assert source.items[0] == Item("00000", "ant", "images.npy[0]")
    assert [item.label for item in source.items[:4]] == ["ant", "bee", "ant", "cat"]
    assert source.classes == ("bee", "ant", "cat")
    for row, item in enumerate(source.items):
        np.testing.assert_array_equal(source.load(item), STACK[row])


def test_without_names_a_class_is_called_by_its_index(tmp_path: Path) -> None:
    arrays(tmp_path)
    (tmp_path / "classes.txt").unlink()
    np.save(tmp_path / "labels.npy", np.array([10, 0, 3, 3, 3, 0, 0, 0], np.uint8))
    source = open_source(tmp_path)
    assert source.items[0].label == "10"
    assert [source.classes.index(item.label or "") for item in source.items[:3]] == [10, 0, 3]


def test_without_labels(tmp_path: Path) -> None:
    np.save(tmp_path / "test.npy", STACK)
    source = open_source(tmp_path)
    assert {item.label for item in source.items} == {None}
    assert source.classes == ()


def test_one_file_is_read_with_the_labels_beside_it(tmp_path: Path) -> None:
    arrays(tmp_path)
    assert open_source(tmp_path / "images.npy").items == open_source(tmp_path).items


@pytest.mark.parametrize("shape", [(8, 6, 4), (8, 6, 4, 1)])
def test_grey_is_expanded(tmp_path: Path, shape: tuple[int, ...]) -> None:
    grey = np.ascontiguousarray(STACK[..., 0])
    np.save(tmp_path / "grey.npy", grey.reshape(shape))
    source = open_source(tmp_path)
    image = source.load(source.items[5])
    assert image.shape == (6, 4, 3)
    for channel in range(3):
        np.testing.assert_array_equal(image[..., channel], grey[5])


def test_grey_with_and_without_a_channel_is_the_same(tmp_path: Path) -> None:
    prints = set()
    for name, stack in (("a", STACK[..., 0]), ("b", STACK[..., :1])):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "x.npy", stack)
        prints.add(scan(open_source(tmp_path / name)).fingerprint)
    assert len(prints) == 1


def test_alpha_is_dropped(tmp_path: Path) -> None:
    np.save(tmp_path / "rgba.npy", np.concatenate([STACK, STACK[..., :1]], axis=3))
    source = open_source(tmp_path)
    np.testing.assert_array_equal(source.load(source.items[2]), STACK[2])


def test_column_order_in_the_file_does_not_matter(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(STACK))
    source = open_source(tmp_path)
    np.testing.assert_array_equal(source.load(source.items[3]), STACK[3])


def test_images_stay_on_disk(tmp_path: Path) -> None:
    source = open_source(arrays(tmp_path))
    assert not source.images.flags.owndata
    assert not source.images.flags.writeable
    assert isinstance(source.images, np.memmap)


def test_a_corrupted_set_is_no_clean_source(tmp_path: Path) -> None:
    arrays(tmp_path)
    for name in ("fog", "snow", "frost"):
        np.save(tmp_path / f"{name}.npy", STACK)
    with pytest.raises(SourceError) as caught:
        open_source(tmp_path)
    text = str(caught.value)
    assert "holds 4 arrays of images (fog.npy, frost.npy, images.npy and 1 more)" in text
    assert "such as CIFAR-10-C, it is a result and not a source of clean images" in text
    assert open_source(tmp_path / "fog.npy").items[0] == Item("00000", "ant", "fog.npy[0]")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (STACK.astype(np.float32) / 255, r"holds float32; images must be uint8"),
        (STACK.transpose(0, 3, 2, 1), r"shape 8 x 3 x 4 x 6; images must be N x H x W"),
        (STACK[0, 0], r"shape 4 x 3; images must be"),
        (STACK[:, :0], r"shape 8 x 0 x 4 x 3"),
        (STACK[:0], r"no images in .*x.npy: its first dimension is 0"),
        (np.uint8(3), r"shape of a single number"),
    ],
)
def test_what_is_not_images_is_refused(tmp_path: Path, array: object, message: str) -> None:
    np.save(tmp_path / "x.npy", array)
    with pytest.raises(SourceError, match=message):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros(7, int), r"of shape \(7,\); they must be one whole number an image"),
        (np.zeros((8, 1), int), r"of shape \(8, 1\)"),
        (np.zeros(8), r"are float64"),
        (np.array([0, 1, 2, 3, 0, 0, 0, 0]), r"holds 3; .* from 0 to 2 named in classes.txt"),
        (np.array([0, 1, -1, 3, 0, 0, 0, 0]), r"holds -1; class indices must lie from 0"),
    ],
)
def test_wrong_labels_are_refused(tmp_path: Path, labels: object, message: str) -> None:
    arrays(tmp_path)
    np.save(tmp_path / "labels.npy", labels)
    with pytest.raises(SourceError, match=message):
        open_source(tmp_path)


def test_unbounded_labels_are_refused(tmp_path: Path) -> None:
    arrays(tmp_path)
    (tmp_path / "classes.txt").unlink()
    np.save(tmp_path / "labels.npy", np.full(8, 10**12))
    with pytest.raises(SourceError, match="from 0 to 999999"):
        open_source(tmp_path)


class Touch:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return Path.touch, (Path(self.path),)


@pytest.mark.parametrize("name", ["x.npy", "x.npz"])
def test_pickles_in_arrays_are_not_run(tmp_path: Path, name: str) -> None:
    array = np.array([Touch(str(tmp_path / "touched"))], dtype=object)
    if name == "x.npy":
        np.save(tmp_path / name, array, allow_pickle=True)
    else:
        np.savez(tmp_path / name, x=array)
    with pytest.raises(SourceError, match=r"cannot be read as .*array"):
        open_source(tmp_path / name)
    assert not (tmp_path / "touched").exists()


def test_a_cut_or_foreign_file_is_refused(tmp_path: Path) -> None:
    arrays(tmp_path)
    data = (tmp_path / "images.npy").read_bytes()
    for bad in (data[:-10], data[:20], b"", b"no array"):
        write(tmp_path / "images.npy", bad)
        with pytest.raises(SourceError, match=r"images.npy cannot be read as a .npy array"):
            open_source(tmp_path)


def test_an_archive_with_the_wrong_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", x=STACK)
    (tmp_path / "x.npz").rename(tmp_path / "x.npy")
    with pytest.raises(SourceError, match=r"is a .npz archive by content; give it that name"):
        open_source(tmp_path)


def test_arrays_beside_pictures_are_not_the_source(tmp_path: Path) -> None:
    write(tmp_path / "ant" / "a.png", encoded(1))
    np.save(tmp_path / "features.npy", np.zeros(3))
    assert open_source(tmp_path).kind == "folder"


def test_arrays_beside_loose_pictures_are_not_the_source(tmp_path: Path) -> None:
    write(tmp_path / "a.png", encoded(1))
    np.save(tmp_path / "features.npy", np.zeros(3))
    assert open_source(tmp_path).kind == "folder"


def test_an_item_of_another_source_is_refused(tmp_path: Path) -> None:
    source = open_source(arrays(tmp_path))
    with pytest.raises(SourceError, match="'00001' is not an item of"):
        source.load(Item("00001", "bee", "other.npy[1]"))


def test_max_pixels_counts(tmp_path: Path) -> None:
    arrays(tmp_path)
    assert len(scan(open_source(tmp_path, max_pixels=24)).items) == 8
    with pytest.raises(SourceError, match=r"images.npy\[0\]: it is 4 x 6, more than the 23 pixels"):
        scan(open_source(tmp_path, max_pixels=23))


@pytest.mark.parametrize(("x", "y"), [("x", "y"), ("images", "labels")])
def test_archives_of_arrays(tmp_path: Path, x: str, y: str) -> None:
    arrays(tmp_path / "loose")
    labels = np.load(tmp_path / "loose" / "labels.npy")
    np.savez_compressed(tmp_path / "set.npz", **{x: STACK, y: labels, "other": STACK})
    write(tmp_path / "classes.txt", "bee\nant\ncat\n")
    source = open_source(tmp_path / "set.npz")
    loose = open_source(tmp_path / "loose")
    assert source.items[4].name == "set.npz[4]"
    assert source.classes == loose.classes
    assert scan(source).fingerprint == scan(loose).fingerprint


def test_an_archive_without_images(tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", data=STACK)
    with pytest.raises(SourceError, match=r"an array named x or images, found data.npy"):
        open_source(tmp_path / "set.npz")


def test_an_archive_with_two_sorts_of_images(tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", x=STACK, images=STACK)
    with pytest.raises(SourceError, match=r"holds both x.npy and images.npy"):
        open_source(tmp_path / "set.npz")


def test_an_archive_that_unpacks_to_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez_compressed(tmp_path / "set.npz", x=np.zeros((100, 32, 32, 3), np.uint8))
    monkeypatch.setattr("brittle.sources._npz.LARGEST", 100_000)
    with pytest.raises(SourceError, match=r"x.npy in .* has 307328 bytes unpacked, more than the"):
        open_source(tmp_path / "set.npz")


def test_an_archive_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read as arrays"):
        open_source(write(tmp_path / "set.npz", b"PK nonsense"))


def test_rows_past_a_hundred_thousand_have_keys_too(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((100_002, 1, 1), np.uint8))
    source = open_source(tmp_path)
    assert source.items[-1].key == "100001"
    assert source.load(source.items[-1]).shape == (1, 1, 3)
    assert sys.getsizeof(repr(source)) < 1000


@pytest.mark.data
def test_house_numbers(shared: Path) -> None:
    place = shared / "images" / "svhn_crops.npz"
    source = open_source(place)
    with np.load(place, allow_pickle=False) as data:
        assert [item.label for item in source.items] == [str(digit) for digit in data["y"]]
        for row in (0, 777, 1999):
            np.testing.assert_array_equal(source.load(source.items[row]), data["x"][row])
    assert source.classes == tuple("0123456789")
