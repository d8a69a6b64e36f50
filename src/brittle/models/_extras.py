"""Libraries that come with an extra: imported when a model needs them, missed with the command."""

import importlib
from typing import Any

from brittle.errors import MissingExtraError, ModelError


def need(module: str, extra: str) -> Any:
    """Import a library of an extra; say how to install it, or what is wrong with it."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"This kind of model needs {error.name or package}, which is not installed. "
            f"Install it: pip install 'brittle[{extra}]' (in a checkout: pip install '.[{extra}]')."
        ) from error
    except (ImportError, RuntimeError, OSError) as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(
            f"{package} is installed but cannot be imported ({said}). Its version most likely does "
            f"not fit the others; reinstall them together: pip install -U 'brittle[{extra}]'."
        ) from error
