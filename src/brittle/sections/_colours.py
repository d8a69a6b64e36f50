"""Colours that the colour-blind can tell apart, on a white page and on a dark one.

Series have a colour, a dash and a shape, any of which tells them apart. Their colours are those of
Okabe and Ito, changed where one would be too pale; the page names each as a CSS variable, in a tone
for light and one for dark. The ramp of the heat map is ColorBrewer's YlOrBr (Harrower and Brewer,
2003), whose lightness alone orders it.
"""

from typing import NamedTuple

SERIES: tuple[tuple[str, str], ...] = (
    ("#0060a8", "#5cb3f0"),
    ("#c75000", "#f28c38"),
    ("#007a5a", "#3cc79a"),
    ("#a8457f", "#e391bf"),
    ("#8a6d00", "#e0c040"),
    ("#4b5563", "#b6bec9"),
)
"""The tones of each series on a light and on a dark page."""
DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (10, 2), (4, 2))
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")

RAMP: tuple[tuple[int, int, int], ...] = (
    (255, 255, 229), (255, 247, 188), (254, 227, 145), (254, 196, 79), (254, 153, 41),
    (236, 112, 20), (204, 76, 2), (153, 52, 4), (102, 37, 6),
)  # fmt: skip
"""ColorBrewer's YlOrBr, pale to dark, at equal steps."""


class Shade(NamedTuple):
    """The colour of a cell and of what is written in it."""

    ground: str
    ink: str


def series(place: int) -> str:
    """Return the colour of a series as CSS says it; after the last one they begin anew."""
    return f"var(--s{place % len(SERIES)})"


def dash(place: int) -> list[int]:
    """Return the dashes of a series' line."""
    return list(DASHES[_turned(place)])


def shape(place: int) -> str:
    """Return the shape of a series' points."""
    return SHAPES[_turned(place)]


def _turned(place: int) -> int:
    """Return the number of a dash or shape: a colour that comes again has another one."""
    return (place + place // len(SERIES)) % len(SERIES)


def shade(share: float) -> Shade:
    """Return the shade of a share from 0 (light) to 1 (dark), with an ink that can be read on it.

    >>> shade(0.0), shade(1.0)
    (Shade(ground='#ffffe5', ink='#000000'), Shade(ground='#662506', ink='#ffffff'))
    """
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    low = min(int(place), len(RAMP) - 2)
    part = place - low
    mixed = [round(a + (b - a) * part) for a, b in zip(RAMP[low], RAMP[low + 1], strict=True)]
    ground = "#" + "".join(f"{value:02x}" for value in mixed)
    ink = max(("#000000", "#ffffff"), key=lambda one: contrast(one, ground))
    return Shade(ground, ink)


def contrast(one: str, other: str) -> float:
    """Return how well one colour is read on the other: 1 (not at all) to 21 (WCAG 2.2).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
