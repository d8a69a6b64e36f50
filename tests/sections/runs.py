"""Runs for the tests of reports: small, real, and with a model that notes what it is shown."""

import numpy as np

from tests.helpers import runs

GRID = """\
about = "Three corruptions at two severities."
edition = "imagenet-64"
corruptions = ["gaussian_noise", "contrast", "glass_blur"]
severities = [2, 5]
extra = ["saturate"]
scores = ["mean_corruption_error", "clean_error"]
citation = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"
"""


def network(*, seed=0, seen=None):
    """A linear model of three classes, as a function of pictures."""
    weights = np.random.default_rng(seed).normal(size=(64 * 64 * 3, 3))

    def model(batch):
        if seen is not None:
            seen.extend(picture.copy() for picture in batch)
        batch = batch[:, :64, :64]
        return (batch.reshape(len(batch), -1) / 255 - 0.5) @ weights / 10

    return model


def labelled(root, count=24, *, start=0):
    """Pictures in folders that are named as `network` calls them when clean, but for some."""
    import cv2

    from brittle import editions

    model = network()
    edition = editions.get("imagenet-64")
    for number in range(start, start + count):
        rng = np.random.default_rng(number)
        small = rng.integers(0, 256, (5, 6, 3), dtype=np.uint8)
        picture = cv2.resize(small, (96, 80))
        said = int(model(edition.prepare(picture)[None]).argmax())
        name = runs.CLASSES[(said + (number % 6 == 5)) % 3]
        (root / name).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(root / name / f"image_{number:03d}.png"), picture[:, :, ::-1])
    return root


def measured(root, folder="run", *, source=None, model=None, text=GRID, **options):
    """A run of that suite; returns the run and its pictures."""
    source = source or labelled(root / "pictures")
    suite = runs.suite(root / "suites", "small", text)
    model = model or network()
    # One name for one set of weights: a run goes on with the same model only.
    return runs.measured(source, root / folder, suite, model=model, **options), source
