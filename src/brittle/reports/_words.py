"""What the sheets have in common: short titles of corruptions, and what a suite was measured on."""

from collections.abc import Iterable, Mapping
from typing import Any

from brittle import suites
from brittle.corruptions import CORRUPTIONS
from brittle.outcomes import Suite
from brittle.perturbations import PERTURBATIONS
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
    "translate": ("Translate", "Trans"),
    "rotate": ("Rotate", "Rotat"),
    "tilt": ("Tilt", "Tilt"),
    "scale": ("Scale", "Scale"),
    "shear": ("Shear", "Shear"),
}
"""Corruption or perturbation -> what heads its column in papers, and where room is scarce."""

PREPARED: Mapping[str, Mapping[str, str]] = {
    "lossless": {"jpeg": "left out"},
    "resized": {"resized": "to the model's input"},
    "codec_skipped": {"video codec": "skipped"},
    "exif": {"exif": "obeyed"},
}
"""Fact of a suite -> what stands among those of a sheet."""


def heading(group: str) -> tuple[str, str]:
    """Return what heads a corruption's column, and a shorter form."""
    name = parse(group).name
    return TITLES.get(name, (name, name)) if name == group else (group, group)


def category(group: str) -> str:
    """Return the kind of a corruption or perturbation; the empty text for what is none."""
    name = parse(group).name
    if name in CORRUPTIONS.names():
        return CORRUPTIONS.load(name).group
    return "digital" if name in PERTURBATIONS.names() else ""


def withheld(found: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """Say which scores are not given and why, each reason once.

    `found` holds what begins a score's name, such as the suite, with score -> reason.
    """
    reasons: dict[str, list[str]] = {}
    for where, some in found:
        for name, why in some.items():
            names = reasons.setdefault(why, [])
            names += [f"{where}{name}"] if f"{where}{name}" not in names else []
    return [
        f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} "
        f"{'is' if len(names) == 1 else 'are'} not given: {why}"
        for why, names in reasons.items()
    ]


def measured(edition: str, suite: str, said: Mapping[str, Any]) -> dict[str, str | int | float]:
    """Return what pictures were measured and how, from the facts of a suite."""
    found: dict[str, str | int | float] = {"edition": edition}
    if "pixels" in said:
        found["pixels"] = str(said["pixels"])
    for name, how in PREPARED.items():
        if said.get(name):
            found |= how
    if said.get("subset"):
        found["subset"] = str(said["subset"])
    name = parse(suite).name
    usual = suites.get(name).classes if name in suites.names() else None
    if "class_list" in said and said["class_list"] != usual:
        own = {"own classes": said["classes"]} if "classes" in said else {"classes": "own"}
        found |= own if said["class_list"] is None else {"classes": said["class_list"]}
    return found


def facts(
    suite: Suite, *, images: int, replicates: int, level: float, baseline: str | None = None
) -> dict[str, str | int | float]:
    """Return what a sheet's numbers were measured on, and what their intervals are."""
    found = measured(suite.edition, suite.name, suite.facts)
    found["images"] = images
    if baseline:
        found["baseline"] = baseline
    if replicates:
        found["intervals"] = f"{100 * level:g} % ({replicates:,} bootstrap replicates)"
    return found
