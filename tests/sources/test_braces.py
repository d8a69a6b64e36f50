from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.errors import SourceError
from brittle.sources._braces import expand, is_pattern, matching
from tests.sources.examples import write


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        ("a.tar", ["a.tar"]),
        ("a-{0..2}", ["a-0", "a-1", "a-2"]),
        ("a-{008..011}", ["a-008", "a-009", "a-010", "a-011"]),
        ("{9..11}", ["9", "10", "11"]),
        ("{x,y}{1..2}", ["x1", "x2", "y1", "y2"]),
        ("a{,b}", ["a", "ab"]),
        ("{3..3}", ["3"]),
    ],
)
def test_braces_are_written_out(pattern: str, want: list[str]) -> None:
    assert expand(pattern) == want


@given(st.integers(0, 10**6), st.integers(0, 50), st.integers(1, 8))
def test_a_range_has_its_ends_and_its_width(first: int, more: int, width: int) -> None:
    found = expand(f"{{{first:0{width}d}..{first + more:0{width}d}}}")
    assert [int(text) for text in found] == list(range(first, first + more + 1))
    assert all(len(text) >= width for text in found if first < 10 ** (width - 1))


@pytest.mark.parametrize("pattern", ["{3..1}", "{0..99999999999}"])
def test_a_range_that_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(SourceError, match="must count up, by less than 100000"):
        expand(pattern)


def test_too_many_files_are_refused() -> None:
    with pytest.raises(SourceError, match="stands for more than 100000 files"):
        expand("{0..999}" * 9)


def test_files_are_matched(tmp_path: Path) -> None:
    for name in ("b-1.tar", "b-0.tar", "a-0.tar", "c.txt"):
        write(tmp_path / name)

    def names(pattern: str) -> list[str]:
        return [path.name for path in matching(str(tmp_path / pattern))]

    assert names("*.tar") == ["a-0.tar", "b-0.tar", "b-1.tar"]
    assert names("b-{0..1}.tar") == ["b-0.tar", "b-1.tar"]
    assert names("{a,b}-?.tar") == ["a-0.tar", "b-0.tar", "b-1.tar"]
    with pytest.raises(SourceError, match=r"no file .*b-2.tar, which the pattern .*b-\{0..3\}.tar"):
        names("b-{0..3}.tar")
    with pytest.raises(SourceError, match=r"no file .*z\*.tar"):
        names("z*.tar")


def test_what_is_a_pattern() -> None:
    assert [is_pattern(text) for text in ("a.tar", "a*", "{a}", "a?", "[a]")] == [False] + [
        True
    ] * 4
