"""A picture for those who have none at hand: a landscape drawn from fractals.

It has what photographs have and test charts lack: smooth gradients, fine texture, hard edges,
saturated and dull colours.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from brittle.types import Pixels, Plane

SIDE = 512
_SKY = ((62, 118, 188), (214, 226, 232))
_RANGES = (
    # top of the ridge and its height in shares of the side, roughness, colours of the rock
    (0.34, 0.20, 1.7, (108, 126, 152), (158, 170, 186)),
    (0.50, 0.13, 1.6, (52, 82, 78), (96, 120, 98)),
)
_MEADOW = ((58, 88, 30), (166, 172, 74))
_FLOWERS = ((226, 60, 52), (244, 208, 62), (236, 236, 240))


def example_picture() -> Pixels:
    """Return the landscape, 512 x 512 RGB."""
    share = np.linspace(0, 1, SIDE)[:, None, None]
    clouds = np.clip((_field(1, 1.9) - 0.48) * 3.2, 0, 1)[:, :, None] * (1 - share)
    picture = _mix(_SKY[0], _SKY[1], np.clip(share * 2.2, 0, 1) + np.zeros((SIDE, SIDE, 1)))
    picture = picture + (np.array((250, 250, 250)) - picture) * clouds
    for number, (top, height, decay, dark, light) in enumerate(_RANGES):
        ridge = (top + height * (0.5 - _field(10 + number, decay)[SIDE // 2])) * SIDE
        rock = _mix(dark, light, _field(20 + number, 1.25)[:, :, None])
        picture = np.where(_under(ridge)[:, :, None], rock, picture)
    edge = (0.62 + 0.04 * np.sin(np.linspace(0.4, 3.6, SIDE))) * SIDE
    grass = _mix(
        _MEADOW[0], _MEADOW[1], (0.35 * _field(30, 1.05) + 0.65 * _field(31, 2))[..., None]
    )
    picture = np.where(_under(edge)[:, :, None], grass * (0.65 + 0.45 * share), picture)
    painted = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    _paint(painted)
    return np.array(painted)


def _field(number: int, decay: float) -> Plane:
    """Return a plasma fractal in 0..1 by additions and products alone."""
    chance = np.random.RandomState(number)
    field, size = np.zeros((2, 2)), 1.0
    while len(field) < SIDE:
        for axis in (0, 1):
            between = (field + np.roll(field, -1, axis)) * 0.5
            shape = [2 * n if a == axis else n for a, n in enumerate(field.shape)]
            field = np.stack([field, between], axis + 1).reshape(shape)
        field = field + size * (chance.random_sample(field.shape) - 0.5)
        size /= decay
    low, high = field.min(), field.max()
    return np.asarray((field - low) / (high - low))


def _mix(low: tuple[int, ...], high: tuple[int, ...], share: Plane) -> NDArray[np.float64]:
    first = np.array(low, np.float64)
    return np.asarray(first + (np.array(high, np.float64) - first) * share)


def _under(edge: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.arange(SIDE)[:, None] >= edge[None, :])


def _paint(picture: Image.Image) -> None:
    """Put a house, trees and flowers into the meadow."""
    draw = ImageDraw.Draw(picture)
    for x, y, size in ((60, 372, 96), (118, 356, 70), (452, 366, 84), (410, 350, 58)):
        draw.rectangle((x - 4, y, x + 4, y + size // 5), fill=(74, 52, 36))
        for layer in range(4):
            top = y - size + layer * size // 5
            half = size * (layer + 2) // 16
            shade = (22 + 7 * layer, 62 + 10 * layer, 38 + 3 * layer)
            draw.polygon((x, top, x - half, top + size // 3, x + half, top + size // 3), fill=shade)
    draw.rectangle((216, 336, 336, 410), fill=(238, 228, 206))
    draw.polygon((204, 338, 276, 286, 348, 338), fill=(168, 52, 40))
    draw.rectangle((308, 288, 322, 318), fill=(124, 70, 56))
    draw.rectangle((264, 364, 290, 410), fill=(92, 60, 40))
    for left in (228, 304):
        draw.rectangle((left, 352, left + 22, 378), fill=(64, 92, 118), outline=(250, 250, 246))
        draw.line((left + 11, 352, left + 11, 378), fill=(250, 250, 246))
    places = _field(40, 1.0)
    for number in range(170):
        y = 420 + int(places[number, 3] * 1000) % 86
        x = int(places[number, 200] * 4000) % SIDE
        radius = 1 + (y - 420) // 30
        colour = _FLOWERS[number % len(_FLOWERS)]
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
