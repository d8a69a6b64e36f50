import io
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.errors import SourceError
from brittle.sources._tar import Member, members
from tests.sources.examples import write, write_tar

FILES = {"a/1.jpg": b"first", "a/1.cls": b"7", "b/2.jpg": b"x" * 1500, "b/empty.txt": b""}


def odd(path: Path, name: str, kind: bytes, target: str = "a/1.jpg") -> Path:
    with tarfile.open(path, "w") as archive:
        entry = tarfile.TarInfo(name)
        entry.type = kind
        entry.linkname = target
        archive.addfile(entry)
    return path


def test_members_are_read_in_place(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", FILES)
    found = list(members(path))
    assert {member.name: member.read(path) for member in found} == FILES
    assert [member.name for member in found] == list(FILES)


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_all_forms_of_tar(tmp_path: Path, form: int) -> None:
    long = "deep/" * 25 + "é.jpg"
    with tarfile.open(tmp_path / "x.tar", "w", format=form) as archive:
        for name, data in (("d/1.jpg", b"one"), (long, b"two")):
            entry = tarfile.TarInfo(name)
            entry.size = 3
            archive.addfile(entry, io.BytesIO(data))
    found = list(members(tmp_path / "x.tar"))
    assert [(m.name, m.read(tmp_path / "x.tar")) for m in found] == [
        ("d/1.jpg", b"one"),
        (long, b"two"),
    ]


def test_leading_dots_and_double_slashes_are_cleaned(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", {"./a//1.jpg": b"x"})
    assert [member.name for member in members(path)] == ["a/1.jpg"]


@pytest.mark.parametrize(
    "name", ["/etc/a.jpg", "../a.jpg", "a/../../b.jpg", "..", "C:/a.jpg", "..\\a.jpg", "\\a.jpg"]
)
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    path = write_tar(tmp_path / "x.tar", {"a/1.jpg": b"x", name: b"y"})
    with pytest.raises(SourceError, match="which leads out of the archive"):
        list(members(path))


def test_two_dots_in_a_name_are_only_a_name(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", {"a..b/..c.jpg": b"x"})
    assert [member.name for member in members(path)] == ["a..b/..c.jpg"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_links_named_like_images_are_refused(tmp_path: Path, kind: bytes) -> None:
    path = odd(tmp_path / "x.tar", "b/2.JPEG", kind, "/etc/passwd")
    with pytest.raises(SourceError, match=r"no bytes for b/2.JPEG: .* --hard-dereference"):
        list(members(path))


@pytest.mark.parametrize(
    "kind", [tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.SYMTYPE, tarfile.BLKTYPE]
)
def test_other_odd_members_are_passed_over(tmp_path: Path, kind: bytes) -> None:
    assert list(members(odd(tmp_path / "x.tar", "b/notes", kind))) == []


def test_a_folder_named_like_an_image_is_a_folder(tmp_path: Path) -> None:
    assert list(members(odd(tmp_path / "x.tar", "b.jpg", tarfile.DIRTYPE))) == []


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    data = write_tar(tmp_path / "x.tar", FILES).read_bytes()
    end = data.rindex(b"b/empty.txt")
    for cut in (100, 700, 2000, end - 600, end + 300):
        with pytest.raises(SourceError, match=r"x.tar"):
            list(members(write(tmp_path / "x.tar", data[:cut])))


def test_an_archive_without_its_end_mark_is_whole(tmp_path: Path) -> None:
    data = write_tar(tmp_path / "x.tar", FILES).read_bytes()
    whole = data[: data.rindex(b"b/empty.txt") + 512]
    assert len(list(members(write(tmp_path / "x.tar", whole)))) == 4


def test_a_damaged_header_is_not_the_end(tmp_path: Path) -> None:
    data = bytearray(write_tar(tmp_path / "x.tar", FILES).read_bytes())
    at = data.index(b"b/2.jpg")
    data[at : at + 7] = b"b/3.jpg"
    with pytest.raises(SourceError, match=rf"cut or damaged at byte {at} of {len(data)}"):
        list(members(write(tmp_path / "x.tar", bytes(data))))


@pytest.mark.parametrize("data", [b"", b"no archive at all" * 100, b"\x1f\x8b\x08" + bytes(600)])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SourceError, match="cannot be read as a tar archive"):
        list(members(write(tmp_path / "x.tar", data)))


def test_an_archive_that_shrank_is_noticed(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", FILES)
    last = list(members(path))[2]
    os.truncate(path, last.offset + 10)
    with pytest.raises(SourceError, match="is shorter than when it was opened"):
        last.read(path)
    path.unlink()
    with pytest.raises(SourceError, match=r"x.tar cannot be read \(No such file"):
        last.read(path)


NAMES = st.text("abc./é", min_size=1, max_size=8)


@given(st.dictionaries(NAMES, st.binary(max_size=600), max_size=4))
def test_what_is_given_is_inside_and_readable(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    path = write_tar(tmp_path_factory.getbasetemp() / "any.tar", files)
    try:
        found: list[Member] = list(members(path))
    except SourceError as error:
        assert "leads out" in str(error)  # noqa: PT017 - both ends are allowed
        assert any(name[0] == "/" or ".." in name.split("/") for name in files)
    else:
        assert [member.read(path) for member in found] == list(files.values())
        assert not any(part in ("..", ".") for m in found for part in m.name.split("/"))
