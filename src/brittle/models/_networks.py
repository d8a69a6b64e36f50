"""From a torch network to an opened model; and networks by the name of their architecture."""

import importlib
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from brittle.errors import BrittleError, ModelError, SpecError
from brittle.families import hint
from brittle.models._digest import of_state
from brittle.models._extras import need
from brittle.models._opened import Opened
from brittle.models._prepare import Normal, Preparation, normal, preparation
from brittle.models._settings import only
from brittle.models.base import Model, Settings


def open_network(
    network: Any,
    *,
    name: str,
    settings: Settings,
    prepared: Preparation | None,
    normalised: Normal,
    classes: tuple[str, ...] | None,
    classes_from: str,
    facts: Mapping[str, Any],
    gives: str = "logits",
    reopen: Callable[[str, Settings], Model] | None = None,
) -> Opened:
    """Put a module on its device and make it a model; settings name the classes if they do."""
    from brittle.models import _torch

    device = _torch.choose_device(settings.device)
    digest = of_state(network.state_dict()) if hasattr(network, "state_dict") else None
    network = _torch.place(network, device, settings)
    call = _torch.Tapped(network) if settings.features else _torch.Plain(network)
    dropping = None
    if settings.passes:
        from brittle.models._dropout import Dropping

        dropping = Dropping(network)
    count = sum(parameter.numel() for parameter in network.parameters())
    if settings.classes is not None:
        classes, classes_from = settings.classes, "given"
    return Opened(
        name,
        _torch.Runner(call, device=device, normal=normalised, settings=settings, dropping=dropping),
        preparation=prepared,
        classes=classes,
        digest=digest,
        gives=gives,
        facts={
            **({} if prepared is None else prepared.facts()),
            **normalised.facts(),
            **_torch.facts(device, settings, parameters=count),
            **facts,
            "classes": classes_from,
        },
        reopen=reopen,
    )


def from_network(
    network: Any,
    *,
    params: Mapping[str, Any],
    classes: tuple[str, ...] | None,
    name: str,
    settings: Settings,
) -> Model:
    """Make a model of a module and the parameters of a spec that say its preprocessing."""
    again = partial(_again, network, params, classes)
    return open_network(
        network,
        name=name,
        settings=settings,
        prepared=preparation(params, where=name),
        normalised=normal(params, where=name),
        classes=classes,
        classes_from="unknown" if classes is None else "the model's own",
        facts={},
        gives=str(params.get("gives", "logits")),
        reopen=again,
    )


def _again(
    network: Any,
    params: Mapping[str, Any],
    classes: tuple[str, ...] | None,
    name: str,
    settings: Settings,
) -> Model:
    return from_network(network, params=params, classes=classes, name=name, settings=settings)


def architecture(text: str, *, classes: int | None, seed: int = 0) -> Any:
    """Build a network with random weights: `timm:NAME`, `torchvision:NAME`, `module:callable`."""
    torch = need("torch", "torch")
    kind, colon, name = text.partition(":")
    if not colon or not name:
        raise SpecError(
            f"'{text}' is no architecture; write timm:NAME, torchvision:NAME or module:callable."
        )
    if classes is not None and classes < 1:
        raise SpecError(f"{text}: classes must be at least 1; got {classes}.")
    # The caller's own random numbers go on as if nothing had been drawn here.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if kind == "timm":
            return timm_network(name, classes=classes)
        if kind == "torchvision":
            return torchvision_network(name, classes=classes)
        made = call(find(text), text, given={} if classes is None else {"classes": classes})
    if not isinstance(made, torch.nn.Module):
        raise ModelError(
            f"{text} returned a {type(made).__name__}; an architecture must be a torch.nn.Module."
        )
    return made


def timm_network(name: str, *, classes: int | None) -> Any:
    """Build timm's network of that name with random weights."""
    timm = need("timm", "timm")
    check_timm(name)
    try:
        return timm.create_model(name, **({} if classes is None else {"num_classes": classes}))
    except Exception as error:
        raise ModelError(f"timm cannot build {name}: {error}") from error


def check_timm(name: str) -> None:
    """Refuse a name that timm does not know, with the nearest ones."""
    timm = need("timm", "timm")
    if not timm.is_model(name):
        raise SpecError(hint(name, timm.list_models(), "model of timm's"))


def torchvision_network(name: str, *, classes: int | None) -> Any:
    """Build torchvision's classifier of that name with random weights."""
    models = need("torchvision.models", "torchvision")
    check_torchvision(name)
    try:
        with warnings.catch_warnings():
            # It warns that the default way to draw the first weights may change one day.
            warnings.filterwarnings("ignore", "The default weight initialization", FutureWarning)
            wanted = {} if classes is None else {"num_classes": classes}
            network = models.get_model(name, weights=None, **wanted)
    except Exception as error:
        raise ModelError(f"torchvision cannot build {name}: {error}") from error
    # Two of its networks change the normalisation themselves, as their published weights want;
    # without those weights they would be built to take pixels otherwise than the preset gives.
    if hasattr(network, "transform_input"):
        network.transform_input = True
    return network


def check_torchvision(name: str) -> None:
    """Refuse a name that is not one of torchvision's classifiers, with the nearest ones."""
    models = need("torchvision.models", "torchvision")
    known = models.list_models(module=models)
    if name not in known:
        raise SpecError(hint(name, known, "classifier of torchvision's"))


def find(text: str) -> Callable[..., Any]:
    """Import `module:callable`, from the current directory too: this runs the user's own code."""
    module, colon, path = text.rpartition(":")
    if not colon or not module or not path:
        raise SpecError(f"'{text}' is no module:callable; write my_file:load for load() there.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ModelError(
            f"{text} cannot be imported: {error}. Modules are looked for in {here} and among the "
            f"installed packages."
        ) from error
    if not callable(found):
        raise ModelError(f"{text} is a {type(found).__name__}, which cannot be called.")
    return found  # type: ignore[no-any-return]


def call(function: Callable[..., Any], text: str, *, given: Mapping[str, Any]) -> Any:
    """Call what `find` found; what goes wrong in it is said with its name."""
    try:
        return function(**given)
    except BrittleError:
        raise
    except Exception as error:
        raise ModelError(
            f"{text}({', '.join(given)}) failed{_where(error)}: {type(error).__name__}: {error}"
        ) from error


def _where(error: Exception) -> str:
    """Name the line of the user's code that raised: the last one that is not a library's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "site-packages" not in f.filename and f.filename != __file__]
    return f" at {own[-1].filename}:{own[-1].lineno}" if own else ""


def check_program(settings: Settings, what: str) -> None:
    """Refuse what a compiled program cannot do."""
    why = "a compiled program fixes its layers and their layout."
    only(what, settings, "device", "precision", "classes", "threads", why=why)
