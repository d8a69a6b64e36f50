"""Settings that a kind cannot follow are refused by name, never dropped."""

from dataclasses import fields

from brittle.errors import ModelError
from brittle.models.base import Settings


def only(what: str, settings: Settings, *followed: str, why: str) -> None:
    """Refuse every setting that is not the default, unless it is one that `what` follows."""
    for field in fields(Settings):
        value = getattr(settings, field.name)
        # A CPU and full precision are what everything here can do.
        plain = (field.name, value) in (("device", "cpu"), ("precision", "float32"))
        if value != field.default and field.name not in followed and not plain:
            raise ModelError(
                f"{what} cannot follow {field.name}={value}: {why} Leave {field.name} out."
            )


def check_classes(names: tuple[str, ...] | None, outputs: int, *, what: str) -> None:
    """Refuse a list of class names that has not one name an output."""
    if names is not None and len(names) != outputs:
        raise ModelError(
            f"{what} has {outputs} outputs, but {len(names)} class names were given. Give one name "
            f"an output, in index order (--classes)."
        )
