"""Detectors against strange images, and calibration, as sheets."""

from brittle.outcomes import Suite
from brittle.reports._words import facts
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.detecting import MEAN, Detection
from brittle.scoring.trusting import Calibration


def detection(model: str, suite: Suite, found: Detection) -> tuple[Sheet, ...]:
    """Return a sheet a measure: detectors down, strange sets across, the best mean first."""
    titles = {row.detector: row.title for row in found.rows}
    values = {(row.detector, row.set): row for row in found.rows}
    last = found.sets[-1]
    strange = sum(found.images[name] for name in found.sets if name != MEAN)
    usual = sum(found.images.values()) - strange
    notes = [found.fitted] if found.fitted else []
    notes += [f"{name} is not given: {why}" for name, why in found.withheld.items()]
    sheets = []
    for place, measure in enumerate(found.measures):
        sign = 1 if found.better[measure] == "lower" else -1
        order = sorted(titles, key=lambda d: sign * values[d, last].values[measure].value)
        rows: list[tuple[Entry, ...]] = []
        for detector in order:
            row: list[Entry] = [detector, titles[detector]]
            row += [
                Figure.of(values[detector, name].values[measure], shown=name == last)
                for name in found.sets
            ]
            moved = values[detector, last].against
            if found.against is not None:
                row.append(None if moved is None else Figure.of(moved[measure], signed=True))
            rows.append(tuple(row))
        columns = [
            Column("detector", "", "left", only="machines"),
            Column("title", "detector", "left"),
            *(Column(name, name) for name in found.sets),
        ]
        if found.against is not None:
            columns.append(Column("against", f"against {titles[found.against]}"))
        said = facts(suite, images=usual, replicates=found.replicates, level=found.level)
        both = {"in-distribution images": said.pop("images"), "strange images": strange}
        said = {**{k: v for k, v in said.items() if k != "intervals"}, **both, **said}
        sheets.append(
            Sheet(
                title=f"{model}: {suite.name}, {measure} in %, {found.better[measure]} is better",
                columns=tuple(columns),
                rows=tuple(rows),
                facts=said,
                notes=tuple(notes) if place == len(found.measures) - 1 else (),
            )
        )
    return tuple(sheets)


def calibration(model: str, suite: Suite, found: Calibration) -> tuple[Sheet, ...]:
    """Return the calibration of every cell, and what a temperature does where one was fitted."""
    columns = (
        Column("name", "", "left"),
        Column("images", "images"),
        *(Column(title, title) for title in found.measures),
    )
    rows: tuple[tuple[Entry, ...], ...] = tuple(
        (row.name, row.images, *(Figure.of(row.values[title], 3) for title in found.measures))
        for row in found.rows
    )
    said = facts(suite, images=0, replicates=found.replicates, level=found.level)
    sheets = [
        Sheet(
            title=f"{model}: {suite.name}, calibration",
            columns=columns,
            rows=rows,
            facts={key: value for key, value in said.items() if key != "images"},
            notes=(
                "; ".join(f"{title}: {found.better[title]} is better" for title in found.measures),
                *(f"{name} is not given: {why}" for name, why in found.withheld.items()),
            ),
        )
    ]
    if found.scaled is not None:
        scaled = found.scaled
        sheets.append(
            Sheet(
                title=f"{model}: logits divided by a temperature of {scaled.temperature.value:.3f}",
                columns=(Column("measure", "", "left"), Column("before", "before"),
                         Column("after", "after")),
                rows=tuple(
                    (title, Figure.of(scaled.before[title], 3), Figure.of(scaled.after[title], 3))
                    for title in found.measures
                ),
                facts={"images": scaled.images},
                notes=("fitted on the half of the images that their keys choose, tried on the "
                       "other",),
            )
        )  # fmt: skip
    return tuple(sheets)
