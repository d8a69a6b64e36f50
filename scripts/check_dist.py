"""Look at what is inside a wheel and a source archive before they go anywhere."""

import argparse
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

LARGEST = 3 << 20
"""Bytes of a wheel."""
ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "brittle"
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "tests/test_docs.py")


def version() -> str:
    """Return the version that the package says."""
    found = re.search(r'__version__ = "(.+?)"', (PACKAGE / "_version.py").read_text())
    assert found is not None
    return found[1]


def wheel(path: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel."""
    if path.stat().st_size >= LARGEST:
        yield f"it has {path.stat().st_size:,} bytes, and {LARGEST:,} are the most"
    with zipfile.ZipFile(path) as archive:
        inside = {name for name in archive.namelist() if not name.endswith("/")}
        info = f"brittle-{version()}.dist-info"
        if f"{info}/METADATA" not in inside:
            yield f"it is not of version {version()}"
            return
        points = archive.read(f"{info}/entry_points.txt").decode()
    package = {f"brittle/{p.relative_to(PACKAGE).as_posix()}" for p in _files(PACKAGE)}
    yield from (f"{name} is missing" for name in sorted(package - inside))
    strange = {name for name in inside - package if not name.startswith(f"{info}/")}
    yield from (f"{name} does not belong there" for name in sorted(strange))
    if "brittle = brittle.cli:entry" not in points:
        yield "it does not bring the command brittle"


def source(path: Path) -> Iterator[str]:
    """Yield what is wrong with a source archive."""
    root = f"brittle-{version()}"
    with tarfile.open(path) as archive:
        inside = {member.name for member in archive if member.isfile()}
    wanted = [*SOURCES, *(p.relative_to(ROOT).as_posix() for p in _files(PACKAGE))]
    yield from (f"{name} is missing" for name in wanted if f"{root}/{name}" not in inside)
    for name in sorted(inside):
        if "__pycache__" in name or name.endswith(".pyc"):
            yield f"{name} does not belong there"


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def main(folder: Path) -> int:
    """Check both, say what was found, and return 1 if something is wrong."""
    wheels, sources = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    wrong = 0
    if len(wheels) != 1 or len(sources) != 1:
        print(f"{folder} holds {len(wheels)} wheels and {len(sources)} source archives, not one")
        return 1
    for path, check in ((wheels[0], wheel), (sources[0], source)):
        faults = list(check(path))
        wrong += len(faults)
        print(f"{path.name}: {path.stat().st_size:,} bytes, {'; '.join(faults) or 'sound'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path, help="where they are: dist")
    sys.exit(main(reader.parse_args().folder))
