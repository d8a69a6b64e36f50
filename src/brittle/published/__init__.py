"""Results that were published, a TOML file a suite, to stand beside a user's own.

>>> names()[:3]
('cifar10-c', 'cifar100-c', 'icons-50')
>>> whole = [row for row in results("imagenet-c") if not row.off]
>>> best = min(whole, key=lambda row: row.values["mce"])
>>> best.model, best.values["mce"], best.standalone
('ResNeXt-101 32x8d + DeepAugment + AugMix', 44.5, None)

A file has `about`, `headline`, the `suites` of a run that measure the same, the number of `images`,
the list of `classes`, and `tables`: a `source` with its `short` name, the `columns`, why it is
`off`, and `rows`. A row has a `model`, `values` by metric and `columns` by metric, or the number of
`wrong` images in every cell; what follows from these is computed by the metrics themselves. Totals
that do not fit their columns are refused when the file is read.
"""

from functools import lru_cache
from importlib import resources

from brittle.errors import SpecError
from brittle.families import hint
from brittle.published._read import read
from brittle.published.base import Measure, Published, Result

__all__ = ["Measure", "Published", "Result", "get", "names", "results"]


def names() -> tuple[str, ...]:
    """Return the suites that results are known of, in ABC order."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


@lru_cache
def get(suite: str) -> Published:
    """Return what is published of a suite; an unknown one is a `SpecError`."""
    if suite not in names():
        raise SpecError(hint(suite, names(), "published suite"))
    return read(suite, resources.files(__name__).joinpath(f"{suite}.toml").read_text("utf-8"))


def results(suite: str) -> tuple[Result, ...]:
    """Return the published rows of a suite, table by table, as printed."""
    return get(suite).results
