"""What brittle needs and what its extras bring, from the metadata of the installation."""

import re
from importlib import metadata
from typing import NamedTuple

STAND_INS = {
    "mlflow-skinny": ("mlflow",),
    "onnxruntime": ("onnxruntime-gpu",),
    "opencv-python-headless": (
        "opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless",
    ),
}  # fmt: skip
"""Package -> those that bring the same modules."""
LEFT_OUT = ("all", "dev", "docs")
"""Extras that are sums of others, or for those who work on brittle."""

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*([^;]*?)\s*(?:;\s*(.*))?$")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


class Package(NamedTuple):
    """A package that is needed, and what is there of it."""

    name: str
    wanted: str
    """The versions that will do: `>=1.26`."""
    version: str | None
    """What is installed; None for nothing."""
    fits: bool


class Extra(NamedTuple):
    """An ability that needs more packages."""

    name: str
    packages: tuple[Package, ...]

    @property
    def there(self) -> bool:
        """Whether all of its packages are."""
        return all(package.fits for package in self.packages)

    @property
    def command(self) -> str:
        """What installs it."""
        return f"pip install 'brittle[{self.name}]'"


class Requirement(NamedTuple):
    """A line of the metadata."""

    name: str
    wanted: str
    extra: str | None


def core() -> tuple[Package, ...]:
    """Return the packages that brittle always needs."""
    return tuple(_package(one) for one in _requirements() if one.extra is None)


def extras() -> tuple[Extra, ...]:
    """Return the extras in ABC order."""
    found: dict[str, list[Package]] = {}
    for one in _requirements():
        if one.extra and one.extra not in LEFT_OUT and one.name != "brittle":
            found.setdefault(one.extra, []).append(_package(one))
    return tuple(Extra(name, tuple(packages)) for name, packages in sorted(found.items()))


def parse(line: str) -> Requirement:
    """Read a requirement as metadata has it.

    >>> parse('torch>=2.6; extra == "torch"')
    Requirement(name='torch', wanted='>=2.6', extra='torch')
    """
    found = _REQUIREMENT.match(line)
    assert found is not None, line
    name, wanted, marker = found.groups()
    extra = _EXTRA.search(marker or "")
    return Requirement(name.lower(), wanted.strip("() "), extra[1] if extra else None)


def at_least(version: str, wanted: str) -> bool:
    """Say whether a version reaches the lower bound; other bounds are not looked at.

    >>> at_least("2.13.0+cpu", ">=2.6"), at_least("1.9", ">=1.10,<3"), at_least("5", "")
    (True, False, True)
    """
    bound = re.search(r">=\s*([0-9.]+)", wanted)
    return bound is None or _numbers(version) >= _numbers(bound[1])


def _numbers(version: str) -> tuple[int, ...]:
    numbers = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    found = [int(part) for part in numbers[0].split(".")] if numbers else []
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def _requirements() -> list[Requirement]:
    try:
        return [parse(line) for line in metadata.requires("brittle") or ()]
    except metadata.PackageNotFoundError:
        # Run from a checkout that is not installed: nothing says what is needed.
        return []


def _package(one: Requirement) -> Package:
    for name in (one.name, *STAND_INS.get(one.name, ())):
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        # A stand-in counts its versions in its own way.
        fits = name != one.name or at_least(version, one.wanted)
        return Package(name, one.wanted, version, fits)
    return Package(one.name, one.wanted, None, False)
