"""A leaderboard as a sheet: published rows, and the user's own between rules."""

from collections.abc import Iterator, Sequence

from brittle.published.base import Entry
from brittle.published.board import Board
from brittle.reports._words import heading
from brittle.reports.base import Column, Figure, Sheet
from brittle.reports.base import Entry as Cell
from brittle.scoring.bootstrap import Number

WORDS = {True: "yes", False: "no", None: None}
BETTER = {"lower": "lower is better", "higher": "higher is better"}
MANY = 3
"""Rows that a note names; more are counted."""
SHORT = {"relative_mce": "rel.", "mean_corruption_error": "mean", "clean_error": "clean"}
"""Metric -> what heads its column where room is scarce."""


def leaderboard(board: Board, *, columns: bool = False) -> Sheet:
    """Return a board as a sheet; with `columns` people see what the totals are summed from too."""
    published = board.published
    shown = [board.metric, *(name for name in published.measures if name != board.metric)]
    shown = [name for name in shown if any(name in one.numbers for one in board.entries)]
    groups = list(dict.fromkeys(name for one in board.entries for name in one.columns))
    said = any(one.standalone is not None for one in board.entries)
    heads = [
        Column("rank", "rank", only="people"),
        Column("place", "", only="machines"),
        Column("place_best", "", only="machines"),
        Column("place_worst", "", only="machines"),
        Column("equal_footing", "", "left", only="machines"),
        Column("model", "model", "left"),
        Column("backbone", "", "left", only="machines"),
        Column("standalone", "standalone", "left", "alone", only="" if said else "machines"),
    ]
    for name in shown:
        title = published.measures[name].title
        heads.append(Column(name, title, short=SHORT.get(name, title)))
    heads.append(Column("images", "images"))
    heads.append(Column("source", "source", "left"))
    heads.append(Column("source_in_full", "", "left", only="machines"))
    heads.append(Column("reference", "", "left", only="machines"))
    for group in groups:
        title, short = heading(group) if columns else (group, group)
        over = published.measures[board.metric].column if columns else ""
        heads.append(
            Column(f"{board.metric}:{group}", title, short=short, over=over,
                   only="" if columns else "machines")
        )  # fmt: skip
    rows = [_row(board, one, shown, groups) for one in board.entries]
    facts: dict[str, str | int | float] = {
        "ranked by": f"{board.measure.title} ({BETTER[board.measure.better]})"
    }
    if published.chance is not None:
        facts["chance"] = published.chance
    return Sheet(
        title=f"{published.name}: {published.about.partition(': ')[2] or published.about}",
        columns=tuple(heads),
        rows=tuple(rows),
        facts=facts,
        notes=tuple(_notes(board)),
        rules=_rules(board.entries),
    )


def _row(board: Board, one: Entry, shown: Sequence[str], groups: Sequence[str]) -> tuple[Cell, ...]:
    measures = board.published.measures
    rank = None if one.place is None else f"({one.place})" if one.off else f"{one.place}"
    best, worst = one.places or (None, None)
    figures: list[Cell] = [
        _figure(one.numbers.get(name), measures[name].digits, shown=name == board.metric)
        for name in shown
    ]
    figures += [
        _figure(one.columns.get(name), board.measure.column_digits, shown=False) for name in groups
    ]
    count = len(shown)
    return (
        rank, one.place, best, worst, "no" if one.off else "yes", one.model, one.backbone or None,
        WORDS[one.standalone], *figures[:count], one.images, one.short, one.source,
        one.reference or None, *figures[count:],
    )  # fmt: skip


def _who(entries: Sequence[Entry]) -> str:
    """Name rows; where they are many, count those of each source."""
    names = [one.model for one in entries]
    if len(names) > MANY:
        shorts = [one.model if one.own else one.short for one in entries]
        names = [
            f"{shorts.count(short)} rows of {short}" if shorts.count(short) > 1 else short
            for short in shorts
        ]
    return ", ".join(dict.fromkeys(names))


def _figure(number: Number | None, digits: int, *, shown: bool) -> Figure | None:
    """Return a number as a figure; what has no interval is none with an empty one."""
    if number is None:
        return None
    if number.low != number.low:
        return Figure(number.value, digits=digits)
    return Figure.of(number, digits, shown=shown)


def _rules(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the rows where the user's own begin or end."""
    own = [one.own for one in entries]
    return tuple(row for row in range(1, len(own)) if own[row] != own[row - 1])


def _notes(board: Board) -> Iterator[str]:
    title = board.measure.title
    for one in board.entries:
        if one.own and one.place is not None and one.places is not None:
            low, high = one.places
            spread = f"{low} to {high}" if low != high else f"{low}"
            yield (
                f"{one.model}: place {one.place} by its {title}, {spread} over its "
                f"{100 * board.level:g} % interval"
            )
    if any(one.off and one.place is not None for one in board.entries):
        yield (
            "a rank in brackets is where the number would stand; it is not on an equal footing "
            "with the others and takes no rank from them"
        )
    off: dict[str, list[str]] = {}
    for one in board.entries:
        if one.off:
            off.setdefault("; ".join(one.off), []).append(one.model if one.own else one.short)
    for why, names in off.items():
        yield f"{', '.join(dict.fromkeys(names))}: {why}"
    said: dict[str, list[Entry]] = {}
    for one in board.entries:
        for note in one.notes:
            said.setdefault(note, []).append(one)
    for note, some in said.items():
        yield f"{_who(some)}: {note}"
    yield from board.left_out
    if any(one.standalone is not None for one in board.entries):
        yield (
            "standalone, as the authors' leaderboard says it: no is a combination of several "
            "methods, which is not commensurable with a single one"
        )
    sources: dict[str, None] = {}
    for one in board.entries:
        if not one.own:
            sources[f"{one.short.partition(',')[0]}: {one.source}"] = None
    yield from sources
