"""An ONNX file, run by ONNX Runtime."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from brittle.errors import ModelError, SpecError
from brittle.families import hint
from brittle.models._digest import of_files
from brittle.models._extras import need
from brittle.models._onnx_files import weight_files
from brittle.models._opened import Opened, in_pieces
from brittle.models._prepare import NORMAL_PARAMS, PREPARE_PARAMS, Normal, normal, preparation
from brittle.models._settings import only
from brittle.models._weights import existing
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value
from brittle.types import UInt8

LAYOUTS = ("NCHW", "NHWC")

TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}

BYTES = "tensor(uint8)"


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    name = str(Spec(f"onnx:{target}", params))
    runtime = need("onnxruntime", "onnx")
    path = existing(target, what=name)
    files = weight_files(path)
    only(
        name,
        settings,
        *("device", "classes", "threads", "features"),
        why="an ONNX file fixes its precision and its layout.",
    )
    session = _session(runtime, str(path), settings, name)
    taken = _choose(session.get_inputs(), params.get("input"), "input", name)
    layout, count, size = _shape(taken, params, name)
    if size is not None and "size" in params:
        given = preparation(params, where=name)
        if given is not None and given.size != size:
            raise SpecError(
                f"{name}: the file takes {size[1]}x{size[0]} only; leave size out or export the "
                f"network for the other size."
            )
    sized = params if size is None else {**params, "size": size}
    prepared = preparation(sized, where=name)
    normalised = _normal(taken, params, name)
    outputs = [_choose(session.get_outputs(), params.get("output"), "output", name).name]
    if settings.features:
        outputs.append(_features(session, params, name))
    forward = _forward(session, taken, outputs, layout, normalised)
    return Opened(
        name,
        forward if count is None else in_pieces(forward, count),
        preparation=prepared,
        classes=settings.classes,
        digest=of_files(files),
        gives=str(params.get("gives", "logits")),
        facts={
            **({} if prepared is None else prepared.facts()),
            **({} if normalised is None else normalised.facts()),
            "layout": layout,
            "device": "cpu" if session.get_providers()[0].startswith("CPU") else "cuda",
            "provider": session.get_providers()[0],
            "precision": taken.type,
            "batch": count,
            "onnxruntime": runtime.__version__,
            "classes": "unknown" if settings.classes is None else "given",
        },
    )


def _session(runtime: Any, path: str, settings: Settings, name: str) -> Any:
    providers: list[Any] = ["CPUExecutionProvider"]
    there = "CUDAExecutionProvider" in runtime.get_available_providers()
    kind, _, index = settings.device.partition(":")
    if kind == "mps" or (kind == "cuda" and not there):
        raise ModelError(
            f"{name}: this ONNX Runtime has no {kind} device, only "
            f"{', '.join(runtime.get_available_providers())}. Use device cpu, or install "
            f"onnxruntime-gpu for cuda."
        )
    if kind == "cuda" or (kind == "auto" and there):
        providers.insert(0, ("CUDAExecutionProvider", {"device_id": int(index or 0)}))
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    if settings.threads is not None:
        options.intra_op_num_threads = settings.threads
        options.inter_op_num_threads = 1
    try:
        session = runtime.InferenceSession(path, sess_options=options, providers=providers)
    except Exception as error:
        raise ModelError(f"ONNX Runtime cannot open {path}: {error}") from error
    # It falls back to the CPU without a word where the provider cannot start.
    if kind == "cuda" and session.get_providers()[0] != "CUDAExecutionProvider":
        raise ModelError(
            f"{name}: ONNX Runtime could not start CUDA (its libraries are missing or of another "
            f"version); use device cpu, or install what its release asks for."
        )
    return session


def _choose(nodes: list[Any], wanted: Value | None, noun: str, name: str) -> Any:
    names = [node.name for node in nodes]
    if wanted is None:
        if len(nodes) > 1:
            raise SpecError(
                f"{name} has {len(nodes)} {noun}s, {', '.join(names)}; say which with {noun}=NAME."
            )
        return nodes[0]
    if wanted not in names:
        raise SpecError(f"{name}: {hint(str(wanted), names, noun)}")
    return nodes[names.index(str(wanted))]


def _features(session: Any, params: Mapping[str, Value], name: str) -> str:
    if "features" not in params:
        raise ModelError(
            f"{name}: which output are the features is not known; name it with features=NAME, or "
            f"leave features out."
        )
    return str(_choose(session.get_outputs(), params["features"], "output", name).name)


def _shape(
    taken: Any, params: Mapping[str, Value], name: str
) -> tuple[str, int | None, tuple[int, int] | None]:
    """Return layout, the fixed number of pictures, and the fixed size, where there are any."""
    shape = [side if isinstance(side, int) and side > 0 else None for side in taken.shape]
    if len(shape) != 4:
        raise ModelError(
            f"{name}: its input {taken.name} has {len(shape)} axes; a batch of pictures has 4."
        )
    layout = params.get("layout", "NCHW" if shape[1] == 3 or shape[3] != 3 else "NHWC")
    if layout not in LAYOUTS:
        raise SpecError(f"{name}: {hint(str(layout), LAYOUTS, 'layout')}")
    channels = shape[1] if layout == "NCHW" else shape[3]
    if channels not in (None, 3):
        raise ModelError(
            f"{name}: its input {taken.name} is {taken.shape}, which is not 3 colours as {layout}; "
            f"give layout=NCHW or layout=NHWC, or export it for colour pictures."
        )
    height, width = shape[2:] if layout == "NCHW" else shape[1:3]
    return str(layout), shape[0], (height, width) if height and width else None


def _normal(taken: Any, params: Mapping[str, Value], name: str) -> Normal | None:
    """Return how pixels become numbers; None where the network takes bytes."""
    if taken.type == BYTES:
        if lost := sorted({"mean", "std", "scale"} & params.keys()):
            raise SpecError(f"{name} takes bytes and scales them itself; leave {lost[0]} out.")
        return None
    if taken.type not in TYPES:
        raise ModelError(f"{name}: its input is {taken.type}; brittle gives floats or bytes.")
    return normal(params, where=name)


def _forward(
    session: Any, taken: Any, outputs: list[str], layout: str, normalised: Normal | None
) -> Any:
    def scaled(batch: UInt8) -> Any:
        if normalised is None:
            return batch
        x = batch.astype(np.float32)
        x /= np.float32(255 / normalised.scale)
        x -= np.array(normalised.mean, np.float32)
        x /= np.array(normalised.std, np.float32)
        return x.astype(TYPES[taken.type], copy=False)

    def forward(batch: UInt8) -> tuple[Any, Any]:
        x = scaled(batch)
        if layout == "NCHW":
            x = x.transpose(0, 3, 1, 2)
        found = session.run(outputs, {taken.name: np.ascontiguousarray(x)})
        return found[0], found[1] if len(found) > 1 else None

    return forward


PART = Kind(
    about="an ONNX file: FILE(mean=[...], std=[...]), with size=, layout=NHWC, gives=probabilities",
    open=_open,
    places=("target",),
    params={
        **PREPARE_PARAMS,
        **NORMAL_PARAMS,
        "layout": str,
        "input": str,
        "output": str,
        "features": str,
        "gives": str,
    },
    extra="onnx",
)
