"""Files that may not be shipped: fetched once, checked by digest, kept in the user's cache.

The five ice photographs of ImageNet-C's frost lie in the authors' repository. `fetch` gets them;
`use` or the environment variable BRITTLE_ASSETS names a folder that holds them already.
"""

import hashlib
import os
import sys
import urllib.error
import urllib.request
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from brittle.errors import AssetError
from brittle.files import sha256_file, write_bytes

_FROM = "https://raw.githubusercontent.com/hendrycks/robustness/master/ImageNet-C/create_c"


class Asset(NamedTuple):
    """A file by name, where it lies, and the SHA-256 that it must have."""

    name: str
    url: str
    sha256: str


FROST = tuple(
    Asset(name, f"{_FROM}/{name}", digest)
    for name, digest in (
        ("frost1.png", "ff9f907860bd7a835d459e32f9d588062b7f61ee267343cc7222b56753a14755"),
        ("frost2.png", "fe211a89b336999c207a852ce05818d4545d0b57c5beadd824b4cc9d9a9b6137"),
        ("frost3.png", "2d0d50b4a9bb213f38b024ef7768731bb83cc08d2f26b5766bbc167cdfa0e504"),
        ("frost4.jpg", "3f8b91ca1a9fa7167b09e773da53f5ae60d0a1fd88f02a783f6e328a72887f6e"),
        ("frost5.jpg", "5fc6a19df4a429ba68abdcc8f8a4278d4c9f81c9ccafd2c92ab0c8cf8992ebd2"),
    )
)
"""The ice photographs in the order of their index; the sixth file of the set is never drawn."""

_chosen: Path | None = None


def use(directory: str | Path | None) -> None:
    """Take assets from this folder; None goes back to BRITTLE_ASSETS or the cache."""
    global _chosen
    if directory is not None and not Path(directory).is_dir():
        raise AssetError(f"There is no folder {directory} to take assets from.")
    _chosen = None if directory is None else Path(directory)


def cache() -> Path:
    """Return the folder of the user's cache that belongs to brittle."""
    if given := os.environ.get("BRITTLE_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "brittle"


def directory() -> Path:
    """Return the folder that assets are looked for in."""
    if _chosen is not None:
        return _chosen
    given = os.environ.get("BRITTLE_ASSETS")
    return Path(given) if given else cache() / "assets"


def have_frost() -> bool:
    """Whether all five ice photographs are there; a part of them, or altered ones, are refused."""
    folder = directory()
    if not folder.is_dir() and os.environ.get("BRITTLE_ASSETS") and _chosen is None:
        raise AssetError(f"BRITTLE_ASSETS names {folder}, which is no folder.")
    missing = [asset.name for asset in FROST if not (folder / asset.name).is_file()]
    if missing and len(missing) < len(FROST):
        raise AssetError(
            f"{folder} lacks {', '.join(missing)}; frost needs all five photographs. Run 'brittle "
            f"assets fetch'."
        )
    if missing:
        return False
    _check_all(folder, FROST)
    return True


@lru_cache(maxsize=8)
def _check_all(folder: Path, assets: tuple[Asset, ...]) -> None:  # noqa: ARG001 - part of the key
    for asset in assets:
        locate(asset)


def locate(asset: Asset) -> Path:
    """Return the checked path of an asset; what is missing or altered is an `AssetError`."""
    path = directory() / asset.name
    if not path.is_file():
        raise AssetError(
            f"{asset.name} is not in {path.parent}. Run 'brittle assets fetch', or name a folder "
            f"that holds it with --assets or BRITTLE_ASSETS."
        )
    found = sha256_file(path)
    if found != asset.sha256:
        raise AssetError(
            f"{path} is not the published {asset.name}: its SHA-256 is {found}, not "
            f"{asset.sha256}. Remove it and run 'brittle assets fetch'."
        )
    return path


def fetch(destination: str | Path | None = None, *, timeout: float = 60) -> list[Path]:
    """Download what is missing of the ice photographs, check it, and return the paths."""
    folder = Path(destination) if destination is not None else directory()
    paths = []
    for asset in FROST:
        path = folder / asset.name
        if not path.is_file() or sha256_file(path) != asset.sha256:
            write_bytes(path, _download(asset, timeout))
        paths.append(path)
    return paths


def _download(asset: Asset, timeout: float) -> bytes:
    try:
        with urllib.request.urlopen(asset.url, timeout=timeout) as reply:
            data: bytes = reply.read(64 << 20)
    except (urllib.error.URLError, OSError) as error:
        raise AssetError(
            f"{asset.url} could not be fetched ({error}). Fetch the five files elsewhere and name "
            f"their folder with --assets or BRITTLE_ASSETS."
        ) from error
    found = hashlib.sha256(data).hexdigest()
    if found != asset.sha256:
        raise AssetError(
            f"{asset.url} gave a file with SHA-256 {found} instead of {asset.sha256}; "
            f"it was not kept."
        )
    return data
