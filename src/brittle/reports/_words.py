"""What the sheets have in common: short titles of corruptions, and what a suite was measured on."""

from collections.abc import Mapping

from brittle.corruptions import CORRUPTIONS
from brittle.outcomes import Suite
from brittle.spec import parse

TITLES: Mapping[str, tuple[str, str]] = {
    "gaussian_noise": ("Gauss.", "Gauss"),
    "shot_noise": ("Shot", "Shot"),
    "impulse_noise": ("Impulse", "Impul"),
    "defocus_blur": ("Defocus", "Defoc"),
    "glass_blur": ("Glass", "Glass"),
    "motion_blur": ("Motion", "Motn"),
    "zoom_blur": ("Zoom", "Zoom"),
    "snow": ("Snow", "Snow"),
    "frost": ("Frost", "Frost"),
    "fog": ("Fog", "Fog"),
    "brightness": ("Bright", "Brght"),
    "contrast": ("Contrast", "Contr"),
    "elastic_transform": ("Elastic", "Elast"),
    "pixelate": ("Pixel", "Pixel"),
    "jpeg_compression": ("JPEG", "JPEG"),
    "speckle_noise": ("Speckle", "Speck"),
    "gaussian_blur": ("Gauss. blur", "Gblur"),
    "spatter": ("Spatter", "Spatt"),
    "saturate": ("Saturate", "Satur"),
}
"""Corruption -> what heads its column in the papers' tables, and where room is scarce."""


def heading(group: str) -> tuple[str, str]:
    """Return what heads a corruption's column, and a shorter form."""
    name = parse(group).name
    return TITLES.get(name, (name, name)) if name == group else (group, group)


def category(group: str) -> str:
    """Return the kind of a corruption; the empty text for what is none."""
    name = parse(group).name
    return CORRUPTIONS.load(name).group if name in CORRUPTIONS.names() else ""


def facts(
    suite: Suite, *, images: int, replicates: int, level: float, baseline: str | None = None
) -> dict[str, str | int | float]:
    """Return what a sheet's numbers were measured on, and what their intervals are."""
    found: dict[str, str | int | float] = {"edition": suite.edition}
    if "pixels" in suite.facts:
        found["pixels"] = str(suite.facts["pixels"])
    found["images"] = images
    if baseline:
        found["baseline"] = baseline
    if replicates:
        found["intervals"] = f"{100 * level:g} % ({replicates:,} bootstrap replicates)"
    return found
