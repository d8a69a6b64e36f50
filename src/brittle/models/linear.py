"""A linear classifier of pixels in NumPy: for tests, for demonstrations, to see what is measured.

The features are the pixels of a picture of its size, x / 255, row by row; logits are
features @ w + b. A file is an `.npz` with `w` (D x classes), `b` and, if wanted, `classes` (text).
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ModelError, SpecError
from brittle.models._digest import of_arrays, of_files
from brittle.models._opened import Opened
from brittle.models._prepare import PREPARE_PARAMS, preparation
from brittle.models._settings import check_classes, only
from brittle.models._weights import existing
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value
from brittle.types import UInt8


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    name = str(Spec(f"linear:{target}", params))
    only(name, settings, "classes", "features", why="a NumPy model runs on the CPU in float32.")
    lost = sorted({"classes", "seed"} & params.keys())
    if target == "random":
        (weights, digest), said = _random(params, name), None
    elif lost:
        raise SpecError(f"{name}: {lost[0]} is for linear:random; a file brings its own weights.")
    else:
        weights, digest, said = _read(target, name)
    size = params["size"] if "size" in params else _side(weights["w"], name)
    prepared = preparation({"interpolation": "bilinear", **params, "size": size}, where=name)
    assert prepared is not None
    if math.prod(prepared.size) * 3 != len(weights["w"]):
        raise ModelError(
            f"{name}: w has {len(weights['w'])} rows, which are not the pixels of {size}; give "
            f"size=[height, width] with height * width * 3 rows."
        )
    classes, source = (settings.classes, "given") if settings.classes else (said, "the file's own")
    check_classes(classes, len(weights["b"]), what=name)
    return Opened(
        name,
        _forward(weights["w"], weights["b"], settings),
        preparation=prepared,
        classes=classes,
        digest=digest,
        facts={
            **prepared.facts(),
            "device": "cpu",
            "precision": "float32",
            "parameters": sum(value.size for value in weights.values()),
            "numpy": np.__version__,
            "classes": "unknown" if classes is None else source,
        },
    )


def _forward(w: NDArray[np.float32], b: NDArray[np.float32], settings: Settings) -> Any:
    def forward(batch: UInt8) -> tuple[Any, Any]:
        features = batch.reshape(len(batch), -1).astype(np.float32) / np.float32(255)
        return features @ w + b, features if settings.features else None

    return forward


def _random(params: Mapping[str, Value], name: str) -> tuple[dict[str, NDArray[np.float32]], str]:
    size, classes = params.get("size", 32), params.get("classes", 10)
    if not isinstance(classes, int) or not 2 <= classes <= 1 << 16:
        raise SpecError(f"{name}: classes must be from 2 to 65536; got {classes}.")
    sides = size if isinstance(size, tuple) else (size, size)
    rows = 3 * math.prod(int(side) for side in sides)
    if not 1 <= rows * classes <= 1 << 28:
        raise SpecError(f"{name}: {rows} x {classes} weights are out of what is sensible.")
    seed = params.get("seed", 0)
    if not isinstance(seed, int) or seed < 0:
        raise SpecError(f"{name}: seed must be at least 0; got {seed}.")
    rng = np.random.default_rng(seed)
    # Of a scale at which a picture of noise gets logits of about one.
    w = rng.standard_normal((rows, classes), np.float32) / np.float32(math.sqrt(rows))
    b = np.zeros(classes, np.float32)
    return {"w": w, "b": b}, of_arrays({"w": w, "b": b})


def _read(
    target: str, name: str
) -> tuple[dict[str, NDArray[np.float32]], str, tuple[str, ...] | None]:
    path = existing(target, what=name)
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {key: file[key] for key in ("w", "b", "classes") if key in file.files}
    except Exception as error:
        raise ModelError(f"{name}: {path} is not an .npz of plain arrays ({error}).") from error
    w, b = found.get("w"), found.get("b")
    if w is None or b is None or w.ndim != 2 or b.shape != w.shape[1:]:
        raise ModelError(f"{name}: {path} must hold w (D x classes) and b (classes).")
    if not (np.issubdtype(w.dtype, np.number) and np.issubdtype(b.dtype, np.number)):
        raise ModelError(f"{name}: w and b in {path} must be numbers.")
    said = None
    if "classes" in found:
        said = tuple(str(item) for item in np.ravel(found["classes"]))
    weights = {"w": w.astype(np.float32), "b": b.astype(np.float32)}
    return weights, of_files([path]), said


def _side(w: NDArray[np.float32], name: str) -> int:
    side = math.isqrt(len(w) // 3)
    if side * side * 3 != len(w):
        raise ModelError(
            f"{name}: w has {len(w)} rows, which is no square picture of three colours; give "
            f"size=[height, width]."
        )
    return side


PART = Kind(
    about="a NumPy toy: FILE.npz with w, b and classes, or random(classes=10, seed=0, size=32)",
    open=_open,
    places=("target",),
    params={**PREPARE_PARAMS, "classes": int, "seed": int},
)
