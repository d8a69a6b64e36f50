"""All detectors on a real model: ResNet-20 on CIFAR-10, against four kinds of strange pictures.

Detectors are fitted on half of the in-distribution pictures, chosen by their names, and tried on
the other half. Prints the table of docs/detectors.md; with --pictures also draws its plots.

    python -m benchmarks.detectors --cifar cifar10/test --weights cifar10_resnet20.safetensors \
        --svhn svhn_crops.npz --textures dtd --pictures docs/img
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from brittle import plots
from brittle.calibration import Answers, ask, temperature
from brittle.detectors import DETECTORS, Outputs, fit
from brittle.models import open_model
from brittle.models.base import Settings
from brittle.scoring.calibrating import calibrate
from brittle.separation import Groups, measure

SPEC = (
    'torch:{}(architecture="examples.cifar_resnet:resnet20", size=32, '
    "mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])"
)


def read(files: list[Path]) -> Any:
    """Return pictures as N x 32 x 32 x 3; larger ones are shrunk."""
    made = []
    for path in files:
        with Image.open(path) as opened:
            picture = opened.convert("RGB")
        if picture.size != (32, 32):
            picture = picture.resize((32, 32), Image.Resampling.BILINEAR)
        made.append(np.asarray(picture))
    return np.stack(made)


def strangers(args: argparse.Namespace) -> dict[str, Any]:
    """Return the strange pictures by what they are."""
    rng = np.random.default_rng(0)
    shape = (1000, 32, 32, 3)
    with np.load(args.svhn, allow_pickle=False) as crops:
        digits = crops["x"]
    return {
        "Gaussian": np.round(255 * (np.clip(rng.normal(0, 0.5, shape), -1, 1) + 1) / 2),
        "Rademacher": 255 * rng.integers(0, 2, shape),
        "textures": read(sorted(args.textures.glob("*/*.jpg"))),
        "SVHN": digits,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cifar", "weights", "svhn", "textures"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--images", type=int, default=4000, help="in-distribution pictures")
    parser.add_argument("--pictures", type=Path, help="folder to draw the plots into")
    args = parser.parse_args()
    model = open_model(SPEC.format(args.weights), Settings(features=True))

    def outputs(pictures: Any) -> Outputs:
        batches = [
            model.predict(pictures[at : at + 250].astype(np.uint8))
            for at in range(0, len(pictures), 250)
        ]
        return Outputs(
            logits=np.concatenate([batch.logits for batch in batches]),
            features=np.concatenate([batch.features for batch in batches]),
        )

    files = sorted(args.cifar.glob("*/*"))
    files = [files[at] for at in np.random.default_rng(0).permutation(len(files))[: args.images]]
    classes = sorted({path.parent.name for path in files})
    labels = np.array([classes.index(path.parent.name) for path in files])
    known = outputs(read(files))
    scaled = temperature(known.logits, labels, [f"{p.parent.name}/{p.name}" for p in files])
    half = scaled.fitted
    usual = known.rows(~half)
    strange = {name: outputs(pictures) for name, pictures in strangers(args).items()}

    print(f"| detector | {' | '.join(strange)} | mean |\n|---|{'--:|' * (len(strange) + 1)}")
    curves = {}
    for name in DETECTORS.names():
        part = DETECTORS.load(name)
        if "single" not in part.tasks or "samples" in part.needs:
            continue
        detector = fit(name, known.rows(half), labels[half])
        scores = detector.score(usual)
        of = {where: Groups(detector.score(out), scores).curve for where, out in strange.items()}
        areas = [100 * float(measure(curve, "auroc")[0]) for curve in of.values()]
        print(
            f"| {detector.title} | {' | '.join(f'{a:.1f}' for a in areas)} | {np.mean(areas):.1f} |"
        )
        curves[detector.title] = of["SVHN"]

    rest = [
        Answers.of_logits(z[~half], labels[~half])
        for z in (known.logits, scaled.apply(known.logits))
    ]
    names = ("ece", "rms", "rms_published", "l1", "max_error", "nll", "brier", "aurra", "soft_f1")
    before, after = (calibrate(each, names) for each in rest)
    print(
        f"\nT = {scaled.value:.2f}\n\n| measure | as it is | with the temperature |\n|---|--:|--:|"
    )
    for name in names:
        told = [
            f"{n.value:.3f} ({n.low:.3f} to {n.high:.3f})"
            for n in (before[ask(name).title], after[ask(name).title])
        ]
        print(f"| {ask(name).title} | {' | '.join(told)} |")
    if args.pictures:
        plots.roc(curves, args.pictures / "roc.png", title="ResNet-20, CIFAR-10 against SVHN")
        plots.precision_recall(
            curves, args.pictures / "precision-recall.png", title="ResNet-20, CIFAR-10 against SVHN"
        )
        knn = fit("knn", known.rows(half))
        plots.histogram(
            knn.score(strange["SVHN"]), knn.score(usual), args.pictures / "histogram.png",
            title="KNN", names=("SVHN", "CIFAR-10"),
        )  # fmt: skip
        plots.reliability(rest[0], args.pictures / "reliability.png", title="ResNet-20")
        plots.response_rate_accuracy({"ResNet-20": rest[0]}, args.pictures / "response-rate.png")


if __name__ == "__main__":
    main()
