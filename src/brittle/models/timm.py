"""A network of timm's, prepared as its own data configuration says."""

import math
from collections.abc import Mapping
from typing import Any

from brittle.errors import ModelError, SpecError
from brittle.models._extras import need
from brittle.models._networks import architecture, check_timm, open_network
from brittle.models._prepare import INTERPOLATIONS, MODES, Normal, Preparation
from brittle.models._weights import existing, load_into, only_weights, read_state
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    timm = need("timm", "timm")
    name = str(Spec(f"timm:{target}", params))
    network, weights = _network(timm, target, params, name)
    config = timm.data.resolve_model_data_config(
        network, use_test_size=bool(params.get("test_size", False))
    )
    classes, source = _classes(timm, network)
    return open_network(
        network,
        name=name,
        settings=settings,
        prepared=_preparation(config, name),
        normalised=Normal(mean=tuple(config["mean"]), std=tuple(config["std"])),
        classes=classes,
        classes_from=source,
        facts={"weights": weights, "crop_pct": config["crop_pct"], "timm": timm.__version__},
    )


def _network(timm: Any, target: str, params: Mapping[str, Value], name: str) -> tuple[Any, str]:
    """Return the network and where its weights are from."""
    weights = params.get("weights")
    if weights is None:
        if lost := sorted({"classes", "seed", "key"} & params.keys()):
            raise SpecError(f"{name}: {lost[0]} needs weights=random or weights=FILE.")
        return _pretrained(timm, target, name)
    classes = params.get("classes")
    wanted = None if classes is None else int(classes)  # type: ignore[arg-type]
    seed = int(params.get("seed", 0))  # type: ignore[arg-type]
    network = architecture(f"timm:{target}", classes=wanted, seed=seed)
    if weights == "random":
        return network, f"random, seed {seed}"
    path = existing(str(weights), what=name)
    key = params.get("key")
    load_into(
        network, read_state(path, key=None if key is None else str(key), what=name), what=name
    )
    return network, path.name


def _pretrained(timm: Any, target: str, name: str) -> tuple[Any, str]:
    if ":" not in target:
        check_timm(target)
        config = _config(timm, target, name)
        where = (
            config.hf_hub_id and f"https://huggingface.co/{config.hf_hub_id} (model.safetensors)"
        )
        where = where or config.url
    else:
        where = target
    try:
        with only_weights():
            network = timm.create_model(target, pretrained=True)
    except Exception as error:
        raise ModelError(
            f"timm could not get the weights of {target} ({type(error).__name__}). Without a way "
            f"to the hub, copy {where} here by other means and give "
            f"timm:{target}(weights=FILE); weights=random takes random ones."
        ) from error
    found = network.pretrained_cfg
    return network, str(found.get("hf_hub_id") or found.get("url") or target)


def _config(timm: Any, target: str, name: str) -> Any:
    try:
        config = timm.get_pretrained_cfg(target)
    except RuntimeError as error:
        raise SpecError(f"{name}: {error}") from error
    if config is None or not config.has_weights:
        raise ModelError(
            f"timm has no weights for {target}; give weights=FILE, or weights=random for random "
            f"ones."
        )
    return config


def _preparation(config: Mapping[str, Any], name: str) -> Preparation:
    channels, height, width = config["input_size"]
    mode, interpolation, share = (config[k] for k in ("crop_mode", "interpolation", "crop_pct"))
    if channels != 3 or mode not in MODES or interpolation not in INTERPOLATIONS:
        raise ModelError(
            f"{name} wants {channels} channels, crop_mode {mode} and interpolation "
            f"{interpolation}, which brittle does not do; wrap it with python:module:callable."
        )
    red, green, blue = (round(255 * value) for value in config["mean"])
    return Preparation(
        size=(height, width),
        box=(math.floor(height / share), math.floor(width / share)),
        mode=mode,
        interpolation=interpolation,
        fill=(red, green, blue) if mode == "border" else (0, 0, 0),
    )


def _classes(timm: Any, network: Any) -> tuple[tuple[str, ...] | None, str]:
    """Return the names that the configuration gives, or ImageNet's where their number says so."""
    count = network.num_classes
    named = network.pretrained_cfg.get("label_names")
    if named and len(set(named)) == count:
        return tuple(map(str, named)), "the model's own"
    subset = timm.data.infer_imagenet_subset({"num_classes": count})
    if subset is None:
        return None, "unknown"
    listed = tuple(timm.data.ImageNetInfo(subset).label_names())
    return listed, f"{subset}, as its {count} outputs say"


PART = Kind(
    about="a network of timm's: NAME, NAME(weights=FILE), NAME(weights=random), hf-hub:OWNER/NAME",
    open=_open,
    places=("weights",),
    params={"weights": str, "key": str, "classes": int, "seed": int, "test_size": bool},
    extra="timm",
)
