"""Weights from files that cannot run code: safetensors, or pickles of tensors and nothing else."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brittle.errors import ModelError, SpecError
from brittle.models._extras import need

ENTRIES = ("state_dict", "model_state_dict", "state_dict_ema", "model", "model_ema", "ema", "net")
"""Where training scripts keep the state dict in a checkpoint."""

PREFIXES = ("module.", "_orig_mod.")
"""What data parallelism and compilation put before every name."""


@contextmanager
def only_weights() -> Iterator[None]:
    """Make every `torch.load` of a library refuse pickles that hold more than tensors."""
    key = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"
    before = os.environ.get(key)
    os.environ[key] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[key]
        else:
            os.environ[key] = before


def existing(path: str, *, what: str) -> Path:
    """Return the path of a file that is there."""
    found = Path(path).expanduser()
    if not found.is_file():
        raise ModelError(f"{what}: there is no file {path}.")
    return found


def read_state(path: Path, *, key: str | None = None, what: str) -> Mapping[str, Any]:
    """Read a state dict from .safetensors, or from a pickle that holds nothing but tensors."""
    torch = need("torch", "torch")
    try:
        if path.suffix == ".safetensors":
            found = need("safetensors.torch", "torch").load_file(path)
        else:
            with only_weights():
                found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise ModelError(
            f"{what}: {path} cannot be read as weights alone ({_first_line(error)}). Brittle loads "
            f"no pickle that could run code; save the state dict with safetensors.torch.save_file."
        ) from error
    state = _entry(found, key, f"{what}: {path}")
    wrong = [name for name, value in state.items() if not isinstance(value, torch.Tensor)]
    if wrong:
        raise ModelError(
            f"{what}: {path} is not a state dict: {wrong[0]} is no tensor. Save "
            f"network.state_dict(), or name the entry that holds it with key=."
        )
    return {_bare(name): value for name, value in state.items()}


def load_into(network: Any, state: Mapping[str, Any], *, what: str) -> None:
    """Put a state dict into a network; every name and every shape must fit."""
    try:
        missing, unexpected = network.load_state_dict(state, strict=False)
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines() if "size mismatch" in line]
        raise ModelError(
            f"{what}: the weights do not fit the architecture: {(lines or [str(error)])[0]} If the "
            f"number of classes differs, give it with classes=."
        ) from error
    # Inference does not read the counters of batch normalisation; some files leave them out.
    missing = [name for name in missing if not name.endswith("num_batches_tracked")]
    if missing or unexpected:
        lack = f" {len(missing)} are missing ({_some(missing)})." if missing else ""
        extra = f" {len(unexpected)} belong to nothing ({_some(unexpected)})." if unexpected else ""
        raise ModelError(f"{what}: the weights do not fit the architecture.{lack}{extra}")


def _entry(found: Any, key: str | None, where: str) -> Mapping[str, Any]:
    if key is not None:
        if not isinstance(found, Mapping) or not isinstance(found.get(key), Mapping):
            has = ", ".join(map(str, list(found)[:8])) if isinstance(found, Mapping) else "no names"
            raise SpecError(f"{where} has no entry '{key}' that is a state dict; it has {has}.")
        return found[key]  # type: ignore[no-any-return]
    if not isinstance(found, Mapping):
        raise ModelError(f"{where} holds a {type(found).__name__}, not a state dict.")
    inside = [name for name in ENTRIES if isinstance(found.get(name), Mapping)]
    if len(inside) > 1:
        raise SpecError(
            f"{where} holds several state dicts; say which with key=: {', '.join(inside)}."
        )
    return found[inside[0]] if inside else found


def _bare(name: str) -> str:
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:160] if lines else type(error).__name__


def _some(names: list[str]) -> str:
    more = ", ..." if len(names) > 4 else ""
    return ", ".join(names[:4]) + more
