"""alexnet: the authors' AlexNet on ImageNet-C and -P, which mCE, mFR and mT5D are divided by.

Errors are kept as numbers of wrong images of 50,000, so that nothing is lost in rounding. Of the
four validation corruptions only the means over the five severities are known, of the clean error
three digits, of sequences what the paper prints.
"""

import numpy as np

from brittle.baselines.base import Baseline
from brittle.errors import ScoreError
from brittle.outcomes import Reads
from brittle.rows import SEVERITIES

IMAGES = 50_000
WRONG = {
    "gaussian_noise": (34_764, 41_271, 46_777, 49_069, 49_726),
    "shot_noise": (35_612, 42_554, 46_787, 49_091, 49_573),
    "impulse_noise": (39_187, 44_904, 47_435, 49_360, 49_774),
    "defocus_blur": (32_812, 36_601, 42_518, 45_682, 47_357),
    "glass_blur": (32_154, 37_527, 44_403, 45_811, 46_672),
    "motion_blur": (29_215, 35_024, 41_054, 44_875, 46_319),
    "zoom_blur": (35_004, 38_496, 40_392, 42_099, 43_599),
    "snow": (35_863, 44_196, 43_234, 45_935, 47_476),
    "frost": (30_695, 39_867, 44_395, 44_971, 46_715),
    "fog": (33_737, 38_025, 42_189, 43_630, 47_250),
    "brightness": (22_570, 24_251, 27_024, 31_083, 36_220),
    "contrast": (32_274, 38_075, 44_437, 48_880, 49_635),
    "elastic_transform": (26_298, 35_058, 27_843, 32_038, 40_277),
    "pixelate": (26_109, 27_310, 36_864, 43_546, 45_631),
    "jpeg_compression": (25_501, 27_359, 28_647, 32_729, 37_389),
}
"""Wrong images of 50,000 at severities 1 to 5."""
WRONG_OF_ALL_FIVE = {
    "gaussian_blur": 196_777,
    "saturate": 164_562,
    "spatter": 179_378,
    "speckle_noise": 211_347,
}
"""Wrong images of the 250,000 of all five severities together."""
PRINTED = {
    "gaussian_noise": 88.6,
    "shot_noise": 89.4,
    "impulse_noise": 92.3,
    "defocus_blur": 82.0,
    "glass_blur": 82.6,
    "motion_blur": 78.6,
    "zoom_blur": 79.8,
    "snow": 86.7,
    "frost": 82.7,
    "fog": 81.9,
    "brightness": 56.5,
    "contrast": 85.3,
    "elastic_transform": 64.6,
    "pixelate": 71.8,
    "jpeg_compression": 60.7,
    "speckle_noise": 84.5,
    "gaussian_blur": 78.7,
    "spatter": 71.8,
    "saturate": 65.8,
}
"""The means as the paper prints them, to check the above against."""
FLIPS = {
    "gaussian_noise": 23.65, "shot_noise": 30.06, "motion_blur": 9.3, "zoom_blur": 5.94,
    "snow": 11.93, "brightness": 4.89, "translate": 11.01, "rotate": 13.1, "tilt": 7.05,
    "scale": 23.53, "speckle_noise": 18.65, "gaussian_blur": 2.78, "spatter": 5.05, "shear": 10.66,
}  # fmt: skip
"""Flip probabilities in percent under the perturbations of ImageNet-P, as the paper prints them."""
DISTANCES = {
    "gaussian_noise": 4.77, "shot_noise": 5.76, "motion_blur": 1.93, "zoom_blur": 1.34,
    "snow": 2.42, "brightness": 1.19, "translate": 2.63, "rotate": 2.95, "tilt": 1.75,
    "scale": 4.48, "speckle_noise": 3.89, "gaussian_blur": 0.7, "spatter": 1.26, "shear": 2.48,
}  # fmt: skip
"""Top-5 distances under them, not divided."""


def mean(name: str) -> float | None:
    """Return the mean error over the five severities."""
    if name in WRONG:
        return float(np.mean([100 * wrong / IMAGES for wrong in WRONG[name]]))
    if name in WRONG_OF_ALL_FIVE:
        return 100 * WRONG_OF_ALL_FIVE[name] / (len(SEVERITIES) * IMAGES)
    return None


def moves(reads: Reads, name: str) -> float | None:
    """Return the flip probability or the top-5 distance under a perturbation."""
    return {"flips": FLIPS, "top5_distance": DISTANCES}.get(reads, {}).get(name)


def check() -> None:
    """Refuse a table that does not give the printed means."""
    for name, printed in PRINTED.items():
        found = mean(name)
        if found is None or abs(found - printed) > 0.05 + 1e-9:
            raise ScoreError(f"The table of AlexNet has {found} for {name}; printed is {printed}.")
    if any(len(row) != len(SEVERITIES) for row in WRONG.values()):
        raise ScoreError("The table of AlexNet needs five severities a corruption.")


check()

PART = Baseline(
    title="AlexNet",
    about=__doc__,
    source=(
        "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261: the authors' evaluation code and "
        "table 2"
    ),
    edition="imagenet-224",
    classes="imagenet",
    mean=mean,
    clean=43.5,
    moves=moves,
)
