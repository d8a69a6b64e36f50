import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.errors import ImageError, SourceError
from brittle.sources import Broken, Item, Source, open_source, scan
from brittle.sources._scan import _fingerprint
from brittle.types import Pixels
from tests.sources.examples import arrays, encoded, folder, write, write_tar


class Counting(Source):
    """Images that are made as they are asked for, and counted while they are open."""

    kind = "counting"
    root = Path()
    classes = ()

    def __init__(self, count: int, broken: Callable[[int], bool] = lambda _: False) -> None:
        self.items = tuple(Item(f"{row:05d}", None, f"picture {row:05d}") for row in range(count))
        self.broken = broken
        self.lock = threading.Lock()
        self.read_so_far = 0
        self.done = 0
        self.most = 0

    def read(self, item: Item) -> bytes:
        with self.lock:
            self.read_so_far += 1
            self.most = max(self.most, self.read_so_far - self.done)
        return item.key.encode()

    def decode(self, item: Item, data: bytes) -> Pixels:
        assert data == item.key.encode()
        if self.broken(int(item.key)):
            raise ImageError(f"{item.name}: it is spoilt.")
        return np.zeros((1, 1, 3), np.uint8)

    def finished(self, count: int) -> None:
        self.done += count


def spoil(root: Path) -> None:
    write(root / "ant" / "cut.jpg", encoded(1, "JPEG")[:200])
    write(root / "ant" / "nothing.png", b"")
    write(root / "zebra" / "text.jpg", "hello")


def test_all_broken_ones_are_listed(tmp_path: Path) -> None:
    spoil(folder(tmp_path))
    with pytest.raises(SourceError) as caught:
        scan(open_source(tmp_path))
    lines = str(caught.value).splitlines()
    assert lines[0] == f"3 of 8 images in {tmp_path} are broken:"
    assert lines[1].startswith("  ant/cut.jpg: it is not a whole JPEG file (")
    assert lines[2] == "  ant/nothing.png: the file is empty."
    assert lines[3].startswith("  zebra/text.jpg: it begins with b'hello', which is not JPEG")
    assert lines[4].endswith("go on without them with --skip-broken (skip_broken=True).")
    assert len(lines) == 5


@pytest.mark.parametrize("workers", [1, 3])
def test_broken_ones_may_be_skipped(tmp_path: Path, workers: int) -> None:
    whole = scan(open_source(folder(tmp_path)))
    spoil(tmp_path)
    found = scan(open_source(tmp_path), workers=workers, skip_broken=True)
    assert found[:2] == whole[:2]
    assert found.fingerprint == whole.fingerprint
    names = ["ant/cut.jpg", "ant/nothing.png", "zebra/text.jpg"]
    assert [broken.name for broken in found.broken] == names
    assert found.broken[1] == Broken("ant/nothing.png", "the file is empty.")


def test_twenty_are_named_and_the_rest_counted() -> None:
    with pytest.raises(SourceError) as caught:
        scan(Counting(60, lambda row: row % 2 == 1), workers=2)
    text = str(caught.value)
    assert text.startswith("30 of 60 images")
    assert "picture 00039: it is spoilt." in text
    assert "picture 00041" not in text
    assert "\n  and 10 more\n" in text


def test_the_first_by_name_are_listed() -> None:
    source = Counting(40, lambda row: row > 0)
    source.items = tuple(
        item._replace(name=f"picture {99 - int(item.key)}") for item in source.items
    )
    with pytest.raises(SourceError) as caught:
        scan(source)
    lines = str(caught.value).splitlines()[1:21]
    assert [line.partition(":")[0] for line in lines] == [f"  picture {n}" for n in range(60, 80)]


def test_skipping_all_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"(?s)2 of 2 images.*No image is left"):
        scan(Counting(2, lambda _: True), skip_broken=True)


@pytest.mark.parametrize("workers", [1, 4])
def test_progress_adds_up(workers: int) -> None:
    seen: list[int] = []
    scan(
        Counting(50, lambda row: row == 7), workers=workers, skip_broken=True, progress=seen.append
    )
    assert sum(seen) == 50


def test_only_a_few_are_in_flight() -> None:
    source = Counting(500)
    scan(source, workers=4, progress=source.finished)
    assert source.read_so_far == 500
    assert source.most <= 2 * 4 + 2


def test_other_errors_are_not_swallowed() -> None:
    def fail(row: int) -> bool:
        raise MemoryError

    for workers in (1, 2):
        with pytest.raises(MemoryError):
            scan(Counting(20, fail), workers=workers, skip_broken=True)


def test_no_workers_are_refused() -> None:
    with pytest.raises(SourceError, match="workers is 0; give 1 or more"):
        scan(Counting(1), workers=0)


def test_a_vanished_file_is_broken(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path))
    (tmp_path / "ant" / "c.tif").unlink()
    with pytest.raises(SourceError, match=r"ant/c.tif: it cannot be read \(No such file"):
        scan(source)


def test_digests_are_of_the_stored_bytes(tmp_path: Path) -> None:
    from brittle.files import sha256_file

    found = scan(open_source(folder(tmp_path)))
    for item, digest in zip(found.items, found.digests, strict=True):
        assert digest == sha256_file(tmp_path / item.name)


def test_the_fingerprint_sees_every_change(tmp_path: Path) -> None:
    folder(tmp_path)
    prints = {scan(open_source(tmp_path)).fingerprint}
    write(tmp_path / "zebra" / "a.png", encoded(99))
    prints.add(scan(open_source(tmp_path)).fingerprint)
    (tmp_path / "zebra" / "a.png").rename(tmp_path / "zebra" / "e.png")
    prints.add(scan(open_source(tmp_path)).fingerprint)
    (tmp_path / "zebra" / "e.png").unlink()
    prints.add(scan(open_source(tmp_path)).fingerprint)
    assert len(prints) == 4


def test_the_fingerprint_of_rows_sees_labels_and_shape(tmp_path: Path) -> None:
    arrays(tmp_path)
    one = scan(open_source(tmp_path)).fingerprint
    images = np.load(tmp_path / "images.npy")
    np.save(tmp_path / "images.npy", images.reshape(8, 4, 6, 3))
    two = scan(open_source(tmp_path)).fingerprint
    np.save(tmp_path / "images.npy", images)
    np.save(tmp_path / "labels.npy", np.zeros(8, np.int64))
    three = scan(open_source(tmp_path)).fingerprint
    assert len({one, two, three}) == 3


def test_a_packed_folder_has_the_same_fingerprint(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path / "loose"))
    flat = {item.name: source.read(item) for item in source.items if item.name.count("/") == 1}
    for name, data in flat.items():
        write(tmp_path / "flat" / name, data)
    packed = write_tar(tmp_path / "packed.tar", flat)
    assert scan(open_source(packed)).fingerprint == scan(open_source(tmp_path / "flat")).fingerprint


FIELDS = st.tuples(st.text(max_size=3), st.none() | st.text(max_size=3), st.text(max_size=3))


@given(st.lists(FIELDS, max_size=3), st.lists(FIELDS, max_size=3))
def test_the_framing_is_unambiguous(
    one: list[tuple[str, str | None, str]], two: list[tuple[str, str | None, str]]
) -> None:
    def printed(rows: list[tuple[str, str | None, str]]) -> str:
        return _fingerprint([(Item(key, label, ""), digest) for key, label, digest in rows])

    assert (printed(one) == printed(two)) == (one == two)


def test_the_fingerprint_is_pinned() -> None:
    """The value of the written definition, worked out anew; a change would orphan all runs."""
    import hashlib

    hashed = hashlib.sha256(b"brittle-source-1")
    hashed.update(b"\1" + (3).to_bytes(8, "little") + b"a/b" + b"\0")
    hashed.update(b"\1" + (4).to_bytes(8, "little") + b"beef")
    assert _fingerprint([(Item("a/b", None, "a/b.jpg"), "beef")]) == hashed.hexdigest()
