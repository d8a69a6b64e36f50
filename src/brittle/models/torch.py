"""A torch network from a file: an exported program, TorchScript, or weights with an architecture.

Weights are read from safetensors, or from pickles that hold nothing but tensors.
"""

import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brittle.errors import ModelError, SpecError
from brittle.models import _networks
from brittle.models._digest import of_files
from brittle.models._extras import need
from brittle.models._opened import Forward, Opened, in_pieces
from brittle.models._prepare import (
    NORMAL_PARAMS,
    PREPARE_PARAMS,
    Normal,
    Preparation,
    normal,
    preparation,
)
from brittle.models._weights import existing, load_into, only_weights, read_state
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value

EXPORTED = ".pt2"


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    need("torch", "torch")
    name = str(Spec(f"torch:{target}", params))
    path = existing(target, what=name)
    normalised = normal(params, where=name)
    if "architecture" in params:
        return _with_architecture(path, params, settings, name)
    if lost := sorted({"key", "classes"} & params.keys()):
        raise SpecError(f"{name}: {lost[0]} needs an architecture.")
    if path.suffix == EXPORTED:
        return _exported(path, params, settings, name, normalised)
    if path.suffix == ".safetensors" or not _is_script(path):
        raise SpecError(
            f"{name}: {path.name} holds weights and no network; say whose they are with "
            f"architecture=timm:NAME, torchvision:NAME or module:callable."
        )
    return _script(path, params, settings, name, normalised)


def _with_architecture(
    path: Path, params: Mapping[str, Value], settings: Settings, name: str
) -> Model:
    classes, key = params.get("classes"), params.get("key")
    network = _networks.architecture(
        str(params["architecture"]),
        classes=None if classes is None else int(classes),  # type: ignore[arg-type]
    )
    load_into(
        network, read_state(path, key=None if key is None else str(key), what=name), what=name
    )
    return _networks.from_network(
        network, params=params, classes=None, name=name, settings=settings
    )


def _exported(
    path: Path,
    params: Mapping[str, Value],
    settings: Settings,
    name: str,
    normalised: Normal,
) -> Model:
    from brittle.models import _torch

    torch = _torch.torch
    _networks.check_program(settings, name)
    try:
        with only_weights():
            program = torch.export.load(path)
    except Exception as error:
        raise ModelError(
            f"{name}: {path.name} cannot be read as an exported program ({error}). Write it with "
            f"torch.export.save, and read it with the torch that wrote it or a later one."
        ) from error
    count, size, dtype = _input(program, name)
    prepared = _fitted(size, params, name)
    device = _torch.choose_device(settings.device)
    if device.type != "cpu":
        from torch.export.passes import move_to_device_pass

        program = move_to_device_pass(program, str(device))
    module = program.module()
    call = _torch.Plain(lambda x: module(x.to(dtype)))
    runner = _torch.Runner(call, device=device, normal=normalised, settings=settings)
    parameters = sum(value.numel() for value in program.state_dict.values())
    run = _torch.facts(device, settings, parameters=parameters)
    pieces = runner if count is None else in_pieces(runner, count)
    return _file(path, params, settings, name, pieces, prepared, normalised, run)


def _script(
    path: Path,
    params: Mapping[str, Value],
    settings: Settings,
    name: str,
    normalised: Normal,
) -> Model:
    from brittle.models import _torch

    torch = _torch.torch
    _networks.check_program(settings, name)
    prepared = preparation(params, where=name)
    device = _torch.choose_device(settings.device)
    try:
        with warnings.catch_warnings():
            # It advises to export programs instead, which the owner of a file cannot do here.
            warnings.filterwarnings("ignore", ".*torch.jit.*", DeprecationWarning)
            module = torch.jit.load(path, map_location=device).eval()
    except Exception as error:
        raise ModelError(f"{name}: {path.name} cannot be read as TorchScript ({error}).") from error
    runner = _torch.Runner(
        _torch.Plain(module), device=device, normal=normalised, settings=settings
    )
    parameters = sum(value.numel() for value in module.parameters())
    run = _torch.facts(device, settings, parameters=parameters)
    return _file(path, params, settings, name, runner, prepared, normalised, run)


def _file(
    path: Path,
    params: Mapping[str, Value],
    settings: Settings,
    name: str,
    forward: Forward,
    prepared: Preparation | None,
    normalised: Normal,
    run: Mapping[str, Any],
) -> Model:
    """Put together the model of a file that is a whole program."""
    return Opened(
        name,
        forward,
        preparation=prepared,
        classes=settings.classes,
        digest=of_files([path]),
        gives=str(params.get("gives", "logits")),
        facts={
            **({} if prepared is None else prepared.facts()),
            **normalised.facts(),
            **run,
            "classes": "unknown" if settings.classes is None else "given",
        },
    )


def _is_script(path: Path) -> bool:
    """Whether a file is a TorchScript archive, which has its code beside its weights."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return any(entry.endswith("/constants.pkl") for entry in archive.namelist())


def _input(program: Any, name: str) -> tuple[int | None, tuple[int, int] | None, Any]:
    """Return the number of pictures and the size that a program is fixed to, and its dtype."""
    wanted = program.graph_signature.user_inputs
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    if len(wanted) != 1 or wanted[0] not in nodes:
        raise ModelError(f"{name} takes {len(wanted)} inputs; a classifier takes one batch.")
    value = nodes[wanted[0]].meta["val"]
    shape = [side if isinstance(side, int) else None for side in value.shape]
    if len(shape) != 4 or shape[1] != 3 or not value.dtype.is_floating_point:
        raise ModelError(
            f"{name} takes {value.dtype} of shape {tuple(value.shape)}; brittle gives it "
            f"N x 3 x H x W of a floating type. Export it so."
        )
    size = (shape[2], shape[3]) if shape[2] and shape[3] else None
    return shape[0], size, value.dtype


def _fitted(
    size: tuple[int, int] | None, params: Mapping[str, Value], name: str
) -> Preparation | None:
    """Take the size from the program where it has one; another one that was given is refused."""
    if size is None:
        return preparation(params, where=name)
    given = preparation(params, where=name) if "size" in params else None
    if given is not None and given.size != size:
        raise SpecError(
            f"{name}: the program was exported for {size[1]}x{size[0]}, not "
            f"{given.size[1]}x{given.size[0]}; leave size out or export it again."
        )
    return preparation({**params, "size": size}, where=name)


PART = Kind(
    about="a file: .pt2, TorchScript .pt, or weights with architecture=timm:NAME|module:callable",
    open=_open,
    places=("target",),
    params={
        **PREPARE_PARAMS,
        **NORMAL_PARAMS,
        "architecture": str,
        "classes": int,
        "key": str,
        "gives": str,
    },
    extra="torch",
)
