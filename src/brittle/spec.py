"""One spelling for everything that has a name: `name(key=value)`.

The same text is the argument on the command line, the address in a manifest and the column title.

>>> spec = parse("fog(severity=3)")
>>> spec.name, spec.params
('fog', {'severity': 3})
>>> str(parse("snow( mean = 0.20,keep=1 )"))
'snow(keep=1, mean=0.2)'
>>> [str(link) for link in parse_chain("fog(severity=2)+jpeg_compression(severity=3)")]
['fog(severity=2)', 'jpeg_compression(severity=3)']
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from brittle.errors import SpecError

Value: TypeAlias = int | float | bool | str | tuple[float, ...]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+")
_WORD = re.compile(r"[A-Za-z_./~][A-Za-z0-9_./:~-]*")
_BLANK = re.compile(r"\s*")


@dataclass(frozen=True)
class Spec:
    """A part's name with its parameters; prints as it is parsed, in one canonical order."""

    name: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the canonical text: `severity` first, then the other keys in ABC order."""
        if not self.params:
            return self.name
        keys = sorted(self.params, key=lambda key: (key != "severity", key))
        return f"{self.name}({', '.join(f'{key}={_show(self.params[key])}' for key in keys)})"

    def __hash__(self) -> int:
        """Hash the canonical text, so that equal specs are one key."""
        return hash(str(self))


def parse(text: str) -> Spec:
    """Read one `name` or `name(key=value, ...)`; anything else is a `SpecError`."""
    links = parse_chain(text)
    if len(links) != 1:
        raise SpecError(f"'{text}' is a chain of {len(links)} parts; one is expected here.")
    return links[0]


def parse_chain(text: str) -> tuple[Spec, ...]:
    """Read `a(...)+b(...)`: parts applied from left to right."""
    reader = _Reader(text)
    links = [reader.spec()]
    while reader.take("+"):
        links.append(reader.spec())
    if reader.rest():
        reader.fail("end of the text or '+'")
    return tuple(links)


def _show(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_show(item) for item in value)}]"
    if isinstance(value, str) and not (_WORD.fullmatch(value) and value not in ("true", "false")):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


class _Reader:
    """A cursor over the text of a spec."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def rest(self) -> str:
        self._blank()
        return self.text[self.at :]

    def take(self, token: str) -> bool:
        found = self.rest().startswith(token)
        self.at += len(token) if found else 0
        return found

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(f"'{token}'")

    def fail(self, wanted: str) -> None:
        found = self.rest()[:12]
        raise SpecError(
            f"'{self.text}' is not a spec: expected {wanted} at position {self.at}, "
            f"found {repr(found) if found else 'the end'}. Write name(key=value, key=value)."
        )

    def match(self, pattern: re.Pattern[str], wanted: str) -> str:
        found = pattern.match(self.rest())
        if found is None:
            self.fail(wanted)
            raise AssertionError("unreachable")
        self.at += found.end()
        return found.group()

    def spec(self) -> Spec:
        name = self.match(_NAME, "a name")
        params: dict[str, Value] = {}
        if self.take("("):
            while not self.take(")"):
                key = self.match(_NAME, "a parameter's name or ')'")
                self.expect("=")
                if key in params:
                    raise SpecError(f"'{self.text}' gives {key} twice; give it once.")
                params[key] = self.value()
                if not self.take(","):
                    self.expect(")")
                    break
        return Spec(name, params)

    def value(self) -> Value:
        if self.take("["):
            numbers: list[float] = []
            while not self.take("]"):
                numbers.append(self.number())
                if not self.take(","):
                    self.expect("]")
                    break
            return tuple(numbers)
        rest = self.rest()
        if rest.startswith('"'):
            return self.quoted()
        if _NUMBER.match(rest):
            return self.number()
        word = self.match(_WORD, "a number, a word, a quoted text or a [list]")
        return word == "true" if word in ("true", "false") else word

    def number(self) -> int | float:
        digits = self.match(_NUMBER, "a number")
        if len(digits) > 40:
            raise SpecError(f"'{self.text}': {digits[:12]}... is too long for a number.")
        if _INTEGER.fullmatch(digits):
            return int(digits)
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise SpecError(f"'{self.text}': {digits} is too large for a number.")
        return value

    def quoted(self) -> str:
        self.expect('"')
        out = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            self.at += self.text[self.at] == "\\"
            out.append(self.text[self.at : self.at + 1])
            self.at += 1
        self.expect('"')
        return "".join(out)

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
