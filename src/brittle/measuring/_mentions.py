"""Warnings before the work: what is measured will not say what its name says."""

import warnings
from collections.abc import Iterable

from brittle import editions
from brittle.feeds import Feed
from brittle.suites import Suite


def mention_size(feed: Feed, suite: Suite) -> None:
    """Mention pictures that are so small that another edition's severities are meant for them."""
    table = editions.get(feed.edition.table).side
    if feed.edition.side is not None or feed.largest is None or table is None:
        return
    if not (suite.corruptions or suite.extra) or 2 * max(feed.largest) > table:
        return
    height, width = feed.largest
    longest = max(height, width)
    near = min(
        (one for one in editions.EDITIONS.values() if one.side is not None),
        key=lambda one: (abs((one.side or 0) - longest), one.name != one.table),
    )
    warnings.warn(
        f"The largest picture is {width}x{height}, and the severities of edition "
        f"{feed.edition.name} are those of {table} pixels, far too strong for it. The edition "
        f"{near.name} is made for such pictures: --edition {near.name}.",
        stacklevel=2,
    )


def mention_missing(
    found: Iterable[tuple[str, int | None]], suite: Suite, where: str, *, extra: bool
) -> None:
    """Mention what of a suite is not on disk, since it will cost scores; `found` is what is."""
    there: dict[str, set[int | None]] = {}
    for group, severity in found:
        there.setdefault(group.partition("(")[0], set()).add(severity)
    said = []
    for name in suite.corruptions + (suite.extra if extra else ()):
        lost = [str(one) for one in suite.severities if one not in there.get(name, ())]
        if len(lost) == len(suite.severities):
            said.append(name)
        elif lost:
            said.append(f"{name} at severity {', '.join(lost)}")
    if said:
        warnings.warn(
            f"{where} lacks {len(said)} of the corruptions of {suite.name}: {'; '.join(said)}. "
            f"What is there is measured; scores that need all of them cannot be given.",
            stacklevel=2,
        )
