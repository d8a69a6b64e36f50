"""What the user gave, brought to one form; nonsense is refused before anything is opened."""

import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from brittle import labels, suites
from brittle.errors import SourceError, SpecError
from brittle.families import hint
from brittle.measuring.feeding import Data
from brittle.models import split
from brittle.sequences import sequence
from brittle.sources import Source
from brittle.sources._memory import in_memory
from brittle.spec import Spec
from brittle.suites import Suite
from brittle.types import UInt8

KEPT = ("logits", "features", "ranking", "samples")
LONGEST = 40
"""Letters of a model's name in tables."""

Given: TypeAlias = Data | tuple[UInt8 | Sequence[UInt8], Sequence[str | int] | None]
"""A path, an opened source, or (images, labels) in memory."""


def check(*, keep: Any, share: Any, **numbers: Any) -> dict[str, Any]:
    """Return the numbers as plain whole ones; refuse options that are not what they must be."""
    if isinstance(keep, str) or not isinstance(keep, Sequence) or not set(keep) <= set(KEPT):
        raise SpecError(f"keep is a list of {', '.join(KEPT)}; got {keep!r}.")
    found: dict[str, Any] = {}
    for name, value in numbers.items():
        least = None if name == "seed" else 1
        if value is None and name != "seed":
            found[name] = None
            continue
        if not _whole(value) or (least is not None and value < least):
            rest = "" if least is None else f" of at least {least}"
            raise SpecError(f"{name} must be a whole number{rest}; got {value!r}.")
        found[name] = operator.index(value)
    if share is not None:
        good = isinstance(share, (tuple, list)) and len(share) == 2 and all(map(_whole, share))
        if not good or not 1 <= share[0] <= share[1]:
            said = f"{share[0]} of {share[1]}" if good else repr(share)
            raise SpecError(f"A share is (i, n) with 1 <= i <= n; got {said}.")
        share = operator.index(share[0]), operator.index(share[1])
    return {**found, "share": share}


def check_texts(*, suite: Any, conditions: Any, perturbations: Any, **texts: Any) -> None:
    """Refuse what must be a text, or a list of texts, and is not."""
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise SpecError(f"{name} must be a text; got {value!r}.")
    lists = {"conditions": conditions, "perturbations": perturbations}
    for name, value in lists.items():
        if isinstance(value, str):
            raise SpecError(f"{name} is a list of texts; write ['{value}'].")
    for name, value in {"suite": suite or (), **lists}.items():
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, Sequence) or not all(isinstance(one, str) for one in listed):
            raise SpecError(f"{name} must be texts; got {value!r}.")


def _whole(value: Any) -> bool:
    try:
        return operator.index(value) is not None and not isinstance(value, (bool, np.bool_))
    except TypeError:
        return False


def chosen_suites(
    suite: str | Sequence[str] | None,
    conditions: Sequence[str],
    perturbations: Sequence[str],
    edition: str | None,
    *,
    extra: bool,
) -> list[Suite]:
    """Return the suites that are asked for; free conditions are one more, and so are sequences."""
    given = [suite] if isinstance(suite, str) else list(suite or ())
    if not given and not conditions and not perturbations:
        given = ["imagenet-c"]
    found = [suites.get(name) for name in given]
    if extra and not any(one.extra for one in found):
        raise SpecError("None of the suites has extra parts; leave --extra out.")
    prepared = (o for o in found if not (o.photographs or o.footage or o.outliers))
    used = edition or next((one.edition for one in prepared), "any")
    if perturbations:
        # By their canonical names, so that one under two spellings is found to be the same.
        names = [str(sequence(text, edition=used)) for text in perturbations]
        if twins := [name for name in names if names.count(name) > 1]:
            raise SpecError(f"The perturbation {twins[0]} is asked for twice; name it once.")
        found.append(
            Suite(
                name="perturbations",
                about="Perturbations of one's own",
                edition=used,
                perturbations=tuple(names),
                scores=("mean_flip_probability", "mean_top5_distance"),
            )
        )
    if conditions:
        found.append(
            Suite(
                name="conditions",
                about="Conditions of one's own",
                edition=used,
                free=tuple(conditions),
                scores=("top1_error", "clean_error"),
            )
        )
    if len({one.name for one in found}) < len(found):
        raise SpecError("A suite is named twice; name it once.")
    return found


def by_name(
    data: Any, wanted: Sequence[Suite], classes: Sequence[str] | None, brought: Sequence[str] | None
) -> dict[str, dict[str, Data]]:
    """Return for each suite the data by name; `""` is the name of data that nobody named.

    Labels in memory that are numbers are indices: of the suite's own list where it publishes
    indices, else of the classes that were given or that the model brings, else of the suite's
    list. A name that no suite uses is refused.
    """
    given = dict(data) if isinstance(data, Mapping) else {"": data}
    if not given:
        raise SourceError("There are no data; give a folder, a source, or (images, labels).")
    names = {one.name for one in wanted}
    free = any("several" in (one.photographs, one.outliers) for one in wanted)
    if strange := [name for name in given if name and name not in names and not free]:
        raise SourceError(
            f"{hint(strange[0], names, 'suite among those asked for')} Data are named by their "
            f"suite, or by their shift in a suite such as shifts."
        )
    made: dict[Any, Data] = {}

    def shared(where: Any, suite: Suite) -> Data:
        # Suites that read numbers by the same list share a source, which is then surveyed once.
        key = id(where), suite.indices, suite.classes
        if key not in made:
            made[key] = opened(where, suite, classes, brought)
        return made[key]

    return {one.name: {name: shared(where, one) for name, where in given.items()} for one in wanted}


def opened(
    given: Any, suite: Suite, classes: Sequence[str] | None, brought: Sequence[str] | None
) -> Data:
    """Return a path or a source; what is in memory becomes one."""
    if isinstance(given, (str, Path, Source)):
        return given
    if not isinstance(given, tuple) or len(given) != 2:
        raise SourceError(
            f"Data are a path, a source, or in memory a tuple (images, labels); got a "
            f"{type(given).__name__}."
        )
    images, known = given
    numbers = known is not None and len(known) > 0 and not isinstance(known[0], str)
    own = labels.known(suite.classes) if suite.classes else None
    listed = own if suite.indices else (classes or brought or own)
    return in_memory(images, known, classes=listed if numbers else None)


def short(spec: str) -> str:
    """Return what tables call a model that nobody named: its spec without folders and long lists.

    >>> short('torch:/data/net.safetensors(architecture="my:net", mean=[0.5, 0.5, 0.5], std=0.5)')
    'torch:net.safetensors(...)'
    >>> short("timm:resnet50")
    'timm:resnet50'
    """
    try:
        kind, target, params = split(spec)
    except SpecError:
        return spec
    last = f"{kind}:{target.rpartition('/')[2]}"
    whole = last + str(Spec("x", params))[1:] if params else last
    return whole if len(whole) <= LONGEST else f"{last}(...)"
