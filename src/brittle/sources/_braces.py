"""File patterns: `data-{000000..000003}.tar`, `{train,val}-*.tar`."""

import glob
import itertools
import re
from pathlib import Path

from brittle.errors import SourceError

_GROUP = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST = 100_000


def is_pattern(text: str) -> bool:
    """Tell if a path has braces or wildcards in it."""
    return any(sign in text for sign in "{*?[")


def matching(pattern: str) -> list[Path]:
    """Return the files that a pattern stands for, in ABC order.

    Braces name files, each of which must be there; wildcards take what is there, and that must be
    something.
    """
    found: set[str] = set()
    for text in expand(pattern):
        hits = glob.glob(text) if is_pattern(text) else [text] * Path(text).is_file()
        if not hits:
            raise SourceError(f"There is no file {text}, which the pattern {pattern} asks for.")
        found.update(hits)
    return [Path(text) for text in sorted(found)]


def expand(pattern: str) -> list[str]:
    """Write out the braces of a pattern, as a shell does.

    >>> expand("{a,b}-{08..10}.tar")
    ['a-08.tar', 'a-09.tar', 'a-10.tar', 'b-08.tar', 'b-09.tar', 'b-10.tar']
    """
    pieces = _GROUP.split(pattern)
    choices = [_choices(piece, pattern) if at % 2 else [piece] for at, piece in enumerate(pieces)]
    count = 1
    for some in choices:
        count *= len(some)
        if count > _MOST:
            raise SourceError(f"{pattern} stands for more than {_MOST} files; give fewer.")
    return ["".join(parts) for parts in itertools.product(*choices)]


def _choices(group: str, pattern: str) -> list[str]:
    found = _RANGE.fullmatch(group)
    if found is None:
        return group.split(",")
    first, last = found.groups()
    if not int(first) <= int(last) < int(first) + _MOST:
        raise SourceError(
            f"{{{group}}} in {pattern} must count up, by less than {_MOST}; write {{first..last}}."
        )
    width = len(first) if first.startswith("0") else 0
    return [f"{number:0{width}d}" for number in range(int(first), int(last) + 1)]
