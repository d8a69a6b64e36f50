"""A classifier of torchvision's, prepared as its weights say."""

import sys
from collections.abc import Mapping
from typing import Any

from brittle import labels
from brittle.errors import ModelError, SpecError
from brittle.families import hint
from brittle.models._extras import need
from brittle.models._networks import architecture, check_torchvision, open_network
from brittle.models._prepare import Normal, Preparation
from brittle.models._weights import existing, load_into, only_weights, read_state
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value

IMAGENET = 1000


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    models = need("torchvision.models", "torchvision")
    name = str(Spec(f"torchvision:{target}", params))
    check_torchvision(target)
    known = models.get_model_weights(target)
    given = str(params.get("weights", "DEFAULT"))
    if given in known.__members__:
        if lost := sorted({"classes", "seed", "key"} & params.keys()):
            raise SpecError(f"{name}: {lost[0]} needs weights=random or weights=FILE.")
        chosen = known[given]
        network, said = _pretrained(models, target, chosen), f"{known.__name__}.{chosen.name}"
    else:
        chosen = known.DEFAULT
        network, said = _own(target, params, given, list(known.__members__), name)
    prepared, normalised = _preset(chosen, name)
    # torchvision's networks have one output a category, in ImageNet's order, unless told otherwise.
    imagenet = params.get("classes", len(chosen.meta.get("categories", ()))) == IMAGENET
    return open_network(
        network,
        name=name,
        settings=settings,
        prepared=prepared,
        normalised=normalised,
        classes=labels.known("imagenet") if imagenet else None,
        classes_from="imagenet-1k, as its 1000 outputs say" if imagenet else "unknown",
        facts={
            "weights": said,
            "preset": f"{known.__name__}.{chosen.name}",
            "torchvision": need("torchvision", "torchvision").__version__,
        },
    )


def _pretrained(models: Any, target: str, weights: Any) -> Any:
    try:
        with only_weights():
            return models.get_model(target, weights=weights, progress=sys.stderr.isatty())
    except Exception as error:
        folder = f"{need('torch', 'torch').hub.get_dir()}/checkpoints"
        raise ModelError(
            f"torchvision could not get the weights of {target} ({type(error).__name__}). Put "
            f"{weights.url} into {folder}, or give torchvision:{target}(weights=FILE)."
        ) from error


def _own(
    target: str, params: Mapping[str, Value], given: str, known: list[str], name: str
) -> tuple[Any, str]:
    """Build the network with random weights or with those of a file."""
    path = None
    if given != "random":
        if not any(mark in given for mark in "./\\"):
            raise SpecError(
                f"{hint(given, known, f'set of weights of {target}')} Or give a file, or random."
            )
        path = existing(given, what=name)
    classes = params.get("classes")
    wanted = None if classes is None else int(classes)  # type: ignore[arg-type]
    seed = int(params.get("seed", 0))  # type: ignore[arg-type]
    network = architecture(f"torchvision:{target}", classes=wanted, seed=seed)
    if path is None:
        return network, f"random, seed {seed}"
    key = params.get("key")
    load_into(
        network, read_state(path, key=None if key is None else str(key), what=name), what=name
    )
    return network, path.name


def _preset(weights: Any, name: str) -> tuple[Preparation, Normal]:
    preset = weights.transforms()
    try:
        crop, resize = preset.crop_size[0], preset.resize_size[0]
        interpolation = str(preset.interpolation.value)
        mean, std = tuple(preset.mean), tuple(preset.std)
    except (AttributeError, IndexError, TypeError) as error:
        raise ModelError(
            f"{name}: the transforms of {weights.name} are not the preset of a classifier, which "
            f"is all that brittle follows; wrap it with python:module:callable."
        ) from error
    prepared = Preparation(size=(crop, crop), box=(resize, resize), interpolation=interpolation)
    return prepared, Normal(mean=mean, std=std)


PART = Kind(
    about="a classifier of torchvision's: NAME, NAME(weights=IMAGENET1K_V2), NAME(weights=FILE)",
    open=_open,
    places=("weights",),
    params={"weights": str, "key": str, "classes": int, "seed": int},
    extra="torchvision",
)
