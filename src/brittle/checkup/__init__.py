"""Is this installation sound? What is installed and missing, where things lie, and a self-test."""

import os
import platform
import sys
from pathlib import Path
from typing import NamedTuple

import brittle
from brittle import assets
from brittle._version import __version__
from brittle.checkup.checks import Check, selftest
from brittle.checkup.installed import Extra, Package, core, extras
from brittle.errors import AssetError
from brittle.executors import usable_cores
from brittle.files import can_lock

__all__ = ["Check", "Checkup", "Extra", "Package", "Place", "examine", "selftest"]

THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Settings that limit or multiply the threads of the libraries underneath."""


class Place(NamedTuple):
    """A folder that brittle keeps things in."""

    name: str
    path: str
    state: str


class Checkup(NamedTuple):
    """What `brittle doctor` says."""

    version: str
    home: str
    python: str
    platform: str
    cores: int
    """Those that this process may use."""
    threads: dict[str, str]
    """Settings of threads that are in the environment."""
    locks: bool
    """Whether the system has file locks, by which two processes never share a run."""
    packages: tuple[Package, ...]
    extras: tuple[Extra, ...]
    places: tuple[Place, ...]
    checks: tuple[Check, ...]

    @property
    def sound(self) -> bool:
        """Whether every check of the self-test gave the bytes of the release."""
        return all(check.passed for check in self.checks)


def examine() -> Checkup:
    """Look at this installation and run the self-test, which takes about a second.

    The first time after an installation it takes some seconds more: the kernels are compiled.
    """
    return Checkup(
        version=__version__,
        home=str(Path(brittle.__file__).parent),
        python=platform.python_version(),
        platform=platform.platform(),
        cores=usable_cores(),
        threads={name: os.environ[name] for name in THREADS if name in os.environ},
        locks=can_lock(),
        packages=core(),
        extras=extras(),
        places=(_assets(), _kernels()),
        checks=selftest(),
    )


def _assets() -> Place:
    try:
        there = assets.have_frost()
    except AssetError as error:
        return Place("assets", str(assets.directory()), str(error))
    said = (
        "the frost photographs, checked"
        if there
        else "no frost photographs: frost draws its own ice; brittle assets fetch gets them"
    )
    return Place("assets", str(assets.directory()), said)


def _kernels() -> Place:
    """Say where compiled kernels are kept, as Numba chooses it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen) if chosen else Path(brittle.__file__).parent
    near = next((one for one in (folder, *folder.parents) if one.exists()), folder)
    if os.access(near, os.W_OK):
        return Place("kernels", str(folder), "compiled once and kept")
    said = "not writable: kept in the user's cache; NUMBA_CACHE_DIR names another folder"
    return Place("kernels", str(folder), said if sys.platform != "win32" else "not writable")
