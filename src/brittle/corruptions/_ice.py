"""Ice textures for frost: the five published photographs, or five of the project's own making.

The procedural textures are feathered crystals grown over a plasma fractal, toned so that their
means and spreads are near those of the photographs. They are not the benchmark's: a condition made
with them says `texture=procedural` in its name.
"""

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from brittle import assets
from brittle._jit import kernel
from brittle._random import unit
from brittle.corruptions import _plasma
from brittle.errors import AssetError
from brittle.types import Pixels, Plane

COUNT = 5
HEIGHT, WIDTH = 480, 640


def texture(kind: str, index: int, scale: float) -> Pixels:
    """Return ice texture 0..4, RGB, its sides times `scale`."""
    if kind == "procedural":
        return _scaled(_grown(index), scale) if scale != 1 else _grown(index)
    return _photograph(assets.directory(), index, scale)


@lru_cache(maxsize=32)
def _photograph(folder: Path, index: int, scale: float) -> Pixels:  # noqa: ARG001
    path = assets.locate(assets.FROST[index])
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise AssetError(f"{path} does not decode as a picture.")
    return _scaled(np.asarray(picture, np.uint8), scale)


def _scaled(picture: Pixels, scale: float) -> Pixels:
    if scale == 1:
        return picture
    # By factors and not by size: where they differ, OpenCV samples at other places.
    resized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


class _Tone(NamedTuple):
    """Colours of bare glass and of thick ice, and how many crystals to grow."""

    glass: tuple[int, int, int]
    ice: tuple[int, int, int]
    crystals: int
    length: float


_TONES = (
    _Tone((40, 125, 150), (196, 208, 212), 700, 34.0),
    _Tone((165, 172, 186), (250, 250, 252), 1000, 46.0),
    _Tone((160, 166, 182), (250, 250, 252), 1300, 30.0),
    _Tone((104, 120, 136), (226, 236, 244), 1100, 18.0),
    _Tone((66, 77, 92), (228, 236, 244), 1300, 28.0),
)


@lru_cache(maxsize=COUNT)
def _grown(index: int) -> Pixels:
    tone = _TONES[index]
    key = np.uint64(0x1CE0 + index)
    noise = _plasma.draw_noise(int(key), 1024, 1.6)
    cloud = _plasma.plasma(1024, 1.6, noise)[:HEIGHT, :WIDTH].copy()
    relief = np.zeros((HEIGHT, WIDTH))
    _grow(key ^ np.uint64(0xF0F0), tone.crystals, tone.length, cloud, relief)
    relief = np.minimum(relief, 1.0)
    thickness = np.clip(0.5 * cloud + 0.9 * relief - 0.1, 0, 1)[:, :, None]
    glass, ice = np.array(tone.glass, float), np.array(tone.ice, float)
    grain = cloud[::-1, ::-1, None] * 14 - 7
    toned = np.clip(glass + (ice - glass) * thickness + grain, 0, 255)
    return np.asarray(toned, np.uint8)


@kernel
def _needle(
    relief: Plane, y: float, x: float, angle: float, length: float, width: float, strength: float
) -> None:
    """Add a needle that tapers to its tip."""
    down, across = math.sin(angle), math.cos(angle)
    top, bottom = min(y, y + down * length) - width, max(y, y + down * length) + width
    left, right = min(x, x + across * length) - width, max(x, x + across * length) + width
    for row in range(max(int(top), 0), min(int(bottom) + 2, relief.shape[0])):
        for column in range(max(int(left), 0), min(int(right) + 2, relief.shape[1])):
            along = (row - y) * down + (column - x) * across
            if along < 0 or along > length:
                continue
            aside = abs((column - x) * down - (row - y) * across)
            reach = width * (1.0 - along / length) + 0.35
            if aside < reach:
                shade = strength * (1.0 - aside / reach) * (1.0 - 0.6 * along / length)
                relief[row, column] = max(relief[row, column], shade) + 0.15 * shade


@kernel
def _grow(key: np.uint64, crystals: int, length: float, cloud: Plane, relief: Plane) -> None:
    """Grow feathers: needles with barbs at sixty degrees, denser and longer where ice is thick."""
    count = np.uint64(0)
    for _ in range(crystals):
        y, x = unit(key, count) * relief.shape[0], unit(key, count + np.uint64(1)) * relief.shape[1]
        angle = unit(key, count + np.uint64(2)) * 2 * math.pi
        chance = unit(key, count + np.uint64(3))
        size = length * (0.4 + 1.2 * unit(key, count + np.uint64(4)))
        arms = 1 + int(4 * unit(key, count + np.uint64(5)))
        count += np.uint64(6)
        thick = cloud[int(y), int(x)]
        if chance > 0.35 + thick:
            continue
        size *= 0.5 + thick
        strength = 0.45 + 0.55 * thick
        for arm in range(arms):
            turn = angle + arm * (math.pi / 3) + 0.3 * (unit(key, count) - 0.5)
            count += np.uint64(1)
            _needle(relief, y, x, turn, size, 1.6, strength)
            barbs = int(size / 4)
            for barb in range(1, barbs):
                place = size * barb / barbs
                short = 0.4 * (size - place)
                for side in (-1.0, 1.0):
                    _needle(
                        relief,
                        y + place * math.sin(turn),
                        x + place * math.cos(turn),
                        turn + side * math.pi / 3,
                        short,
                        1.0,
                        0.8 * strength,
                    )
