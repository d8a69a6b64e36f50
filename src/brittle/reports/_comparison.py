"""What changed between two runs: scores, the headline's columns, gates, flipped images."""

from brittle.reports._words import measured, withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.comparing import Change, Comparison, Step

MOVED = (
    Column("old", "old"),
    Column("new", "new"),
    Column("difference", "new - old"),
    Column("p", "p"),
    Column("verdict", "", "left"),
)


def comparison(found: Comparison, *, flips: int = 0) -> tuple[Sheet, ...]:
    """Return the scores and the headline's columns; gates and `flips` images where asked for."""
    sheets = [_scores(found)]
    head = found.changes[0]
    if len(head.columns) > 1:
        sheets.append(_columns(head, found.level))
    if found.verdicts:
        sheets.append(_gates(found))
    if flips:
        sheets.append(_flips(found, flips))
    return tuple(sheets)


def _scores(found: Comparison) -> Sheet:
    facts = measured(found.edition, found.suite, found.facts)
    facts["images"] = found.images
    if found.replicates:
        facts["intervals"] = (
            f"{100 * found.level:g} % ({found.replicates:,} paired bootstrap replicates)"
        )
    exact = any(change.exact is not None for change in found.changes)
    rows = []
    for change in found.changes:
        last: list[Entry] = []
        if exact:
            last = [None if change.exact is None else Figure(change.exact, digits=3, least=True)]
        moved = _moved(change.step, change.digits, change.better, found.level)
        rows.append((change.name, change.title, *moved, *last))
    columns = (
        Column("score", "", "left", only="machines"),
        Column("title", "score", "left"),
        *MOVED,
        *((Column("exact_p", "McNemar p"),) if exact else ()),
    )
    notes = withheld([("", found.withheld)])
    return Sheet(
        title=f"{found.suite}: {found.old} (old) and {found.new} (new)",
        columns=columns,
        rows=tuple(rows),
        facts=facts,
        notes=(*notes, *found.notes),
    )


def _columns(change: Change, level: float) -> Sheet:
    rows = tuple(
        (name, *_moved(step, max(1, change.column_digits), change.better, level))
        for name, step in change.columns.items()
    )
    return Sheet(
        title=f"{change.title}: {change.column}, what got worst first",
        columns=(Column("name", "", "left"), *MOVED),
        rows=rows,
        facts={},
    )


def _gates(found: Comparison) -> Sheet:
    rows = tuple(
        (verdict.gate, "passed" if verdict.passed else "FAILED", verdict.why)
        for verdict in found.verdicts
    )
    columns = (
        Column("gate", "gate", "left"),
        Column("verdict", "", "left"),
        Column("why", "", "left", only="machines"),
    )
    notes = tuple(f"{verdict.gate}: {verdict.why}" for verdict in found.verdicts)
    return Sheet(title="gates", columns=columns, rows=rows, facts={}, notes=notes)


def _flips(found: Comparison, count: int) -> Sheet:
    rows = tuple((f.key, f.label, f.set, f.broke, f.mended, f.of) for f in found.flips[:count])
    one = len(found.flips.sets) < 2
    columns = (
        Column("key", "image", "left"),
        Column("label", "label", "left"),
        Column("set", "set", "left", only="machines" if one else ""),
        Column("broke", "right to wrong"),
        Column("mended", "wrong to right"),
        Column("of", "of"),
    )
    note = (
        f"{len(found.flips):,} images flipped: {found.flips.broke:,} times right to wrong, "
        f"{found.flips.mended:,} times wrong to right"
    )
    return Sheet(title="flipped images", columns=columns, rows=rows, facts={}, notes=(note,))


def _moved(step: Step, digits: int, better: str, level: float) -> tuple[Entry, ...]:
    return (
        Figure.of(step.old, digits, shown=False),
        Figure.of(step.new, digits, shown=False),
        Figure.of(step.difference, digits + 1, signed=True),
        Figure(step.p, digits=3, least=True),
        _verdict(step, better, level),
    )


def _verdict(step: Step, better: str, level: float) -> str:
    """Say what changed surely: where neither the interval nor p leaves a doubt."""
    if not step.p < 1 - level:
        return ""
    sign = 1 if better == "lower" else -1
    low, high = sorted((sign * step.difference.low, sign * step.difference.high))
    if low > 0:
        return "worse"
    return "better" if high < 0 else ""
