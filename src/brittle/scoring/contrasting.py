"""Two runs of a suite that is about outputs: how far separation or average precision moved."""

from collections.abc import Mapping, Sequence
from typing import Any

from brittle.errors import ScoreError
from brittle.scoring import bootstrap
from brittle.scoring.comparing import Change, Comparison, step
from brittle.scoring.gates import judged, read_gate
from brittle.scoring.pairing import Flips, pair
from brittle.scoring.rates import Measured
from brittle.scoring.unknowns import Read, named, sample_outputs


def compare_outputs(
    old: Measured,
    new: Measured,
    reads: tuple[Read, Read],
    *,
    suite: str,
    scores: Sequence[str] | None = None,
    gates: Sequence[str] = (),
    replicates: int,
    level: float,
    seed: int = 0,
) -> Comparison:
    """Compare two runs on the same images, as `comparing.compare_runs` does for errors."""
    bootstrap.check(replicates, level)
    paired = pair(old, new, suite)
    first = paired.old
    asked = [read_gate(text, lambda name: named(first, name)) for text in gates]
    if asked and not replicates:
        raise ScoreError("A gate needs intervals; ask for replicates.")
    wanted = [named(first, name) for name in (first.scores if scores is None else scores)]
    wanted = list(dict.fromkeys([*wanted, *(gate.name for gate in asked)]))
    sides = [
        sample_outputs(one, read, wanted, replicates=replicates, seed=seed)
        for one, read in zip((first, paired.new), reads, strict=True)
    ]
    changes = []
    for was, now in zip(*sides, strict=True):
        sign = 1 if was.better == "lower" else -1
        columns = {name: step(row, now.columns[name], level) for name, row in was.columns.items()}
        order = sorted(columns.items(), key=lambda item: -sign * item[1].difference.value)
        changes.append(
            Change(
                name=was.name,
                title=was.title,
                better=was.better,
                unit="%",
                digits=1,
                step=step(was.total, now.total, level),
                column=was.column,
                column_digits=1,
                columns=dict(order),
                exact=None,
            )
        )
    found: Mapping[str, Any] = {change.name: change for change in changes}
    return Comparison(
        suite=first.name,
        edition=first.edition,
        old=old.model,
        new=new.model,
        changes=tuple(changes),
        withheld={},
        flips=Flips({}),
        verdicts=tuple(
            judged(
                gate,
                found[gate.name].title,
                found[gate.name].step.difference,
                found[gate.name].better,
                found[gate.name].digits,
            )
            for gate in asked
        ),
        images=sides[0][0].images,
        facts=first.facts,
        notes=paired.notes,
        replicates=replicates,
        level=level,
    )
