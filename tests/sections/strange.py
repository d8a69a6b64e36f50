"""Runs for the tests of reports that are of sequences, and of known and strange pictures."""

from tests.helpers import runs

MOVING = """\
about = "Three perturbations."
edition = "imagenet-64"
perturbations = ["gaussian_noise", "tilt", "translate"]
scores = ["mean_flip_probability", "mean_top5_distance"]
citation = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"
"""
WIDE = "linear:random(classes=12, size=64)"
NARROW = "linear:random(classes=3, size=32)"


def steady(root, folder="steady", *, count=9, source=None, text=MOVING, **options):
    """A run of three perturbations; returns it and its pictures."""
    source = source or runs.pictures(root / "moved", count, labelled=False)
    suite = runs.suite(root / "suites", "moving", text)
    usual = {"model": WIDE, "classes": None}
    return runs.measured(source, root / folder, suite, **{**usual, **options}), source


def strange(root, folder="strange", *, count=60, labelled=True, **options):
    """A run of known pictures and two sets of noise."""
    known = runs.pictures(root / f"known-{count}", count, side=32, labelled=labelled)
    data = {
        "known": known,
        "noise": "anomaly:gaussian(count=25)",
        "blobs": "anomaly:blobs(count=25)",
    }
    return runs.measured(data, root / folder, "ood", **{"model": NARROW, **options})


def scenes(root, count=24):
    """A run of pictures of several classes, in two sets."""
    sets = {}
    for name in ("day", "night"):
        place = runs.pictures(root / name, count, side=32, labelled=False)
        rows = [
            f"{path.name},{'|'.join(c for n, c in enumerate(runs.CLASSES) if number >> n & 1)}"
            for number, path in enumerate(sorted(place.glob("*.png")))
        ]
        (place / "labels.csv").write_text("\n".join(["image,labels", *rows]))
        sets[name] = place
    return runs.measured(sets, root / "run", "multilabel", model=NARROW)
