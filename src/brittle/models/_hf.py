"""What `hf` and `clip` share: transformers' models from the hub or a folder, and its processors."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from brittle import labels
from brittle.errors import MissingExtraError, ModelError
from brittle.models._extras import need
from brittle.models._prepare import INTERPOLATIONS, Normal, Preparation
from brittle.models._weights import only_weights

UNDERSTOOD = {"do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb"}

WARPED = 384
"""The shorter side from which processors with a `crop_pct` warp the whole picture (ConvNeXT's)."""

ALIKE = 900
"""How many of ImageNet's thousand names must be the same to take the others for synonyms."""


def load(class_name: str, target: str, **options: Any) -> Any:
    """Load a class of transformers' from the hub or a folder, without running code from there."""
    transformers = need("transformers", "hf")
    need("torch", "hf")
    try:
        found = getattr(transformers, class_name)
    except ImportError as error:
        cause = error.__cause__ or error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        if isinstance(cause, ModuleNotFoundError):
            raise MissingExtraError(
                f"transformers needs {cause.name}. Install it: pip install 'brittle[hf]'."
            ) from error
        raise ModelError(f"transformers cannot import {class_name} ({cause}).") from error
    folder = Path(target).expanduser()
    local = folder.is_dir()
    try:
        with only_weights():
            return found.from_pretrained(
                str(folder) if local else target,
                local_files_only=local,
                trust_remote_code=False,
                **options,
            )
    except Exception as error:
        said = (str(error).strip().splitlines() or [""])[0]
        where = (
            "The folder must hold what save_pretrained writes: config.json, "
            "preprocessor_config.json and model.safetensors"
            if local
            else f"Without a way to the hub, copy the files of https://huggingface.co/{target} "
            f"into a folder by other means and name the folder"
        )
        raise ModelError(
            f"transformers could not load {target} ({type(error).__name__}: {said}). {where}."
        ) from error


def preprocessing(processor: Any, name: str) -> tuple[Preparation, Normal]:
    """Read a processor's steps; the result is tried against the processor itself."""
    made = type(processor).__name__
    steps = [key for key in sorted(vars(processor)) if key.startswith("do_")]
    strange = [key for key in steps if getattr(processor, key) and key not in UNDERSTOOD]
    if strange:
        raise ModelError(
            f"{name}: {made} has a step that brittle does not do, {strange[0]}; wrap it with "
            f"python:module:callable."
        )
    prepared = Preparation(
        **_sizes(processor, made, name),
        interpolation=_interpolation(processor, made, name),
        halves="down",
    )
    scales, normalises = _has(processor, "do_rescale"), _has(processor, "do_normalize")
    normalised = Normal(
        mean=_channels(processor.image_mean) if normalises else (0.0,) * 3,
        std=_channels(processor.image_std) if normalises else (1.0,) * 3,
        scale=255 * float(processor.rescale_factor) if scales else 255.0,
    )
    _try(processor, prepared, normalised, name)
    return prepared, normalised


def class_names(config: Any) -> tuple[tuple[str, ...] | None, str]:
    """Return the names of a configuration; wnids where they are ImageNet's in its order."""
    named = {int(index): str(label) for index, label in (config.id2label or {}).items()}
    found = tuple(named.get(index, "") for index in range(len(named)))
    if found == tuple(f"LABEL_{index}" for index in range(len(found))):
        return None, "unknown"
    words = labels.descriptions("imagenet")
    if len(found) == len(words):
        pairs = zip(found, words.values(), strict=True)
        alike = sum(_first(label) == _first(word) for label, word in pairs)
        if alike >= ALIKE:
            return labels.known("imagenet"), f"imagenet-1k, as {alike} of its names say"
    if not all(found) or len(set(found)) < len(found):
        return None, "unknown, since the model's own names are not all different"
    return found, "the model's own"


def versions() -> dict[str, str]:
    """Say which library ran it."""
    return {"transformers": str(need("transformers", "hf").__version__)}


def _first(label: str) -> str:
    return label.partition(",")[0].strip().casefold()


def _has(processor: Any, step: str) -> bool:
    return bool(getattr(processor, step, False))


def _sizes(processor: Any, made: str, name: str) -> dict[str, Any]:
    """Return size, box and mode."""
    crop = None
    if _has(processor, "do_center_crop"):
        given = _dict(processor.crop_size)
        crop = (int(given["height"]), int(given["width"]))
    box: tuple[int, int] | None = None
    mode = "center"
    if _has(processor, "do_resize"):
        size = _dict(processor.size)
        if size.keys() == {"height", "width"}:
            box, mode = (int(size["height"]), int(size["width"])), "squash"
        elif size.keys() == {"shortest_edge"}:
            edge = int(size["shortest_edge"])
            share = getattr(processor, "crop_pct", None)
            box = (edge, edge)
            if share is not None:
                crop = box if crop is None else crop
                mode = "center" if edge < WARPED else "squash"
                box = (int(edge / share),) * 2 if edge < WARPED else box
        else:
            raise ModelError(
                f"{name}: {made} resizes to {size}, which brittle does not do; wrap it with "
                f"python:module:callable."
            )
    final = crop if crop is not None else box if mode == "squash" else None
    if final is None:
        raise ModelError(
            f"{name}: {made} gives pictures of changing size, which do not fit one batch; wrap it "
            f"with python:module:callable."
        )
    return {"size": final, "box": box, "mode": mode}


def _dict(size: Any) -> dict[str, int]:
    given = size if isinstance(size, Mapping) else vars(size)
    return {key: value for key, value in given.items() if value is not None}


def _interpolation(processor: Any, made: str, name: str) -> str:
    given = getattr(processor, "resample", None)
    for word, value in INTERPOLATIONS.items():
        if given == value:
            return word
    if given is None:
        return "bilinear"
    raise ModelError(f"{name}: {made} resizes by {given}, which Pillow does not do.")


def _channels(given: Any) -> tuple[float, ...]:
    return (float(given),) * 3 if isinstance(given, int | float) else tuple(map(float, given))


def _try(processor: Any, prepared: Preparation, normalised: Normal, name: str) -> None:
    """Compare with the processor's own numbers on pictures wider, taller and smaller."""
    height, width = prepared.size
    rng = np.random.default_rng(0)
    for tall, wide in (
        (height + 37, 2 * width + 10),
        (2 * height + 5, width + 8),
        (height // 2 + 3, width + 20),
    ):
        picture = rng.integers(0, 256, (tall, wide, 3), dtype=np.uint8)
        try:
            theirs = processor(images=Image.fromarray(picture), return_tensors="np")
            theirs = np.asarray(theirs["pixel_values"])[0].transpose(1, 2, 0)
        except Exception as error:
            raise ModelError(f"{name}: {type(processor).__name__} failed: {error}") from error
        ours = prepared(picture).astype(np.float64) / 255 * normalised.scale
        ours = (ours - np.array(normalised.mean)) / np.array(normalised.std)
        if theirs.shape != ours.shape or np.abs(theirs - ours).max() > 1e-4:
            raise ModelError(
                f"{name}: {type(processor).__name__} does something that its parameters do not "
                f"say: brittle's pixels differ from its own. Wrap it with python:module:callable."
            )


def config_digest(config: Any) -> str:
    """Hash what a configuration says of the network, without where it came from."""
    said = {
        k: v for k, v in config.to_dict().items() if not k.startswith("_") and "version" not in k
    }
    text = json.dumps(said, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
