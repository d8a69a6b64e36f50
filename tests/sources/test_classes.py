from pathlib import Path

import pytest

from brittle.errors import SourceError
from brittle.sources._classes import named, names_beside, read_names
from tests.sources.examples import write


@pytest.mark.parametrize("text", ["a\nb c\n", "a\nb c", "a \r\n b c\r\n\r\n", "\ufeffa\nb c\n"])
def test_one_name_a_line(tmp_path: Path, text: str) -> None:
    assert read_names(write(tmp_path / "classes.txt", text)) == ("a", "b c")


def test_no_file_is_no_names(tmp_path: Path) -> None:
    assert names_beside(tmp_path) is None


def test_a_blank_line_would_shift_the_rest(tmp_path: Path) -> None:
    write(tmp_path / "classes.txt", "a\n\nb\n")
    with pytest.raises(SourceError, match="has no name in line 2"):
        names_beside(tmp_path)


def test_two_classes_of_one_name(tmp_path: Path) -> None:
    write(tmp_path / "classes.txt", "crane\nbird\ncrane\n")
    with pytest.raises(SourceError, match="names two classes 'crane'; labels go by name"):
        names_beside(tmp_path)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    write(tmp_path / "classes.txt", b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="cannot be read as UTF-8 text"):
        names_beside(tmp_path)


def test_indices_find_their_names() -> None:
    assert named([1, 0, 1], ("a", "b", "c"), "x") == (["b", "a", "b"], ("a", "b", "c"))
    assert named([2, 0], None, "x") == (["2", "0"], ("0", "1", "2"))
    assert named([], None, "x") == ([], ())
