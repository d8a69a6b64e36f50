"""The pictures of the pages, from photographs that come with scikit-image.

Chelsea, a cat by Stefan van der Walt (CC0), and the synthetic anomalies, which need none.
"""

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import brittle
from brittle import editions
from brittle.anomalies import ANOMALIES
from brittle.corruptions import CORRUPTIONS
from brittle.film import SHOWN, film_strip
from brittle.perturbations import PERTURBATIONS
from brittle.types import Pixels

CELL = 140
"""Pixels a side of a frame on a strip; pictures of corruptions are shown whole."""


def photograph() -> Image.Image:
    """Return the cat."""
    import skimage

    with Image.open(Path(skimage.__file__).parent / "data" / "chelsea.png") as opened:
        return opened.convert("RGB")


def smaller(pixels: Pixels, *, cut: bool) -> Pixels:
    """Shrink a frame, so that strips are small files; or cut it, since noise would average out."""
    if cut:
        return np.asarray(pixels[:CELL, :CELL])
    return np.asarray(Image.fromarray(pixels).resize((CELL, CELL), Image.Resampling.LANCZOS))


def draw(images: Path) -> None:
    """Make every picture of the reference."""
    photo = photograph()
    (images / "perturbations").mkdir(parents=True, exist_ok=True)
    brittle.contact_sheet(photo).convert("RGB").save(
        images / "sheet.jpg", quality=70, optimize=True
    )
    film = film_strip(photo, edition="imagenet-224", key="chelsea", cell=88)
    film.save(images / "perturbations.jpg", quality=72)
    made: list[Any] = [
        brittle.open_source(f"anomaly:{name}(side=160, count=1)") for name in ANOMALIES.names()
    ]
    row = np.hstack([source.load(source.items[0]) for source in made])
    Image.fromarray(row).save(images / "anomalies.jpg", quality=75)
    corruptions(photo, images)
    perturbations(photo, images / "perturbations")


def corruptions(photo: Image.Image, images: Path) -> None:
    """Draw the five severities of each corruption."""
    clean = editions.get("imagenet-224").prepare(np.asarray(photo))
    for name in CORRUPTIONS.names():
        pictures = [
            brittle.corrupt(clean, name, severity=s, edition="imagenet-224", key="chelsea")
            for s in range(1, 6)
        ]
        Image.fromarray(np.hstack(pictures)).save(images / f"{name}.jpg", quality=75)


def perturbations(photo: Image.Image, images: Path) -> None:
    """Draw some frames of each perturbation, from the first to the last."""
    for name in PERTURBATIONS.names():
        drawn_afresh = PERTURBATIONS.load(name).reference == "first"
        frames = brittle.perturb(photo, name, edition="imagenet-224", key="chelsea")
        places = np.linspace(0, len(frames) - 1, SHOWN - 2).round().astype(int)
        row = np.hstack([smaller(frames[place], cut=drawn_afresh) for place in places])
        Image.fromarray(row).save(images / f"{name}.jpg", quality=75, optimize=True)
