"""An image classifier of transformers', prepared as its processor prepares."""

from collections.abc import Mapping

from brittle.models import _hf
from brittle.models._extras import need
from brittle.models._networks import open_network
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    torch = need("torch", "hf")
    name = str(Spec(f"hf:{target}", params))
    revision = {} if "revision" not in params else {"revision": str(params["revision"])}
    # Pillow's way of resizing: the other one differs by a level here and there, and by machine.
    processor = _hf.load("AutoImageProcessor", target, backend="pil", **revision)
    prepared, normalised = _hf.preprocessing(processor, name)
    network = _hf.load("AutoModelForImageClassification", target, dtype=torch.float32, **revision)
    classes, source = _hf.class_names(network.config)
    return open_network(
        network,
        name=name,
        settings=settings,
        prepared=prepared,
        normalised=normalised,
        classes=classes,
        classes_from=source,
        facts={
            "network": type(network).__name__,
            "config": _hf.config_digest(network.config),
            "processor": type(processor).__name__,
            "revision": getattr(network.config, "_commit_hash", None),
            **_hf.versions(),
        },
    )


PART = Kind(
    about="an image classifier of transformers': OWNER/NAME on the hub, or a folder",
    open=_open,
    places=("target",),
    params={"revision": str},
    extra="hf",
)
