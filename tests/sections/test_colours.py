"""Colours that can be read and told apart, also by those who see fewer of them."""

import itertools

import numpy as np
import pytest

from brittle.sections import _colours
from brittle.sections._colours import SERIES, contrast, shade

GROUNDS = ("#ffffff", "#14171c")
# Machado, Oliveira and Fernandes, IEEE TVCG 2009: linear RGB as seen with no cone of one kind.
BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def linear(colour):
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.array(to_xyz) @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", BLIND)
@pytest.mark.parametrize("tone", [0, 1])
def test_the_first_four_series_differ_for_the_colour_blind(kind, tone):
    seen = [lab(np.array(BLIND[kind]) @ linear(pair[tone])) for pair in SERIES[:4]]
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > 10


def test_every_series_differs_in_dash_and_shape_as_well():
    assert len({tuple(_colours.dash(n)) for n in range(6)}) == 6
    assert len({_colours.shape(n) for n in range(6)}) == 6
    assert _colours.series(7) == _colours.series(1)
    many = [(_colours.series(n), tuple(_colours.dash(n)), _colours.shape(n)) for n in range(36)]
    assert len(set(many)) == 36


@pytest.mark.parametrize("tone", [0, 1])
def test_series_stand_out_from_the_page(tone):
    """WCAG 2.2, 1.4.11: three to one."""
    for pair in SERIES:
        assert contrast(pair[tone], GROUNDS[tone]) >= 3


def test_numbers_in_the_heat_map_can_be_read():
    """WCAG 2.2, 1.4.3: four and a half to one."""
    for share in np.linspace(-0.1, 1.1, 121):
        ground, ink = shade(float(share))
        assert contrast(ground, ink) >= 4.5


def test_the_ramp_darkens_all_the_way():
    lights = [contrast(shade(float(share)).ground, "#000000") for share in np.linspace(0, 1, 50)]
    assert all(a > b for a, b in itertools.pairwise(lights))
