"""From a citation in words to its BibTeX entry, out of the file `references.bib`."""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

from brittle._version import __version__

_ENTRY = re.compile(r"^@\w+\{.*?^\}", re.DOTALL | re.MULTILINE)
_EPRINT = re.compile(r"arXiv:(\d{4}\.\d{4,5})")
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)
OWN = f"""@software{{brittle,
  author = {{{{The maintainers of brittle}}}},
  title = {{brittle: how easily a vision model breaks, and by how much}},
  version = {{{__version__}}}
}}"""


@lru_cache
def known() -> dict[str, str]:
    """Return eprint, or first surname and year, -> entry.

    >>> known()["1903.12261"].splitlines()[0]
    '@inproceedings{hendrycks2019benchmarking,'
    """
    found = {}
    text = resources.files(__package__).joinpath("references.bib").read_text("utf-8")
    for match in _ENTRY.finditer(text):
        fields = dict(_FIELD.findall(match[0]))
        key = fields.get("eprint") or _short(fields["author"], fields["year"])
        found[key] = match[0]
    return found


def entries(citations: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the entries of citations, each once, brittle's own last; and those without one."""
    found: dict[str, None] = {}
    plain = []
    for said in citations:
        mine = _of(said)
        found.update(dict.fromkeys(mine))
        if not mine:
            plain.append(said)
    return [*found, OWN], plain


def _of(said: str) -> list[str]:
    eprints = _EPRINT.findall(said)
    if eprints:
        return [known()[one] for one in eprints if one in known()]
    year = re.search(r"\b(?:19|20)\d\d\b", said)
    key = _short(said, year[0] if year else "")
    return [known()[key]] if key in known() else []


def _short(authors: str, year: str) -> str:
    first = re.match(r"[^\W\d_]+", authors)
    return f"{first[0] if first else ''} {year}"
