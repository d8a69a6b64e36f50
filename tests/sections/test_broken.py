"""The rule that picks pictures, against a plain search through all rows."""

import numpy as np

from brittle.sections._broken import chosen
from brittle.sections._material import Material, names_of
from tests.sections.runs import GRID, measured, network


def view_of(run):
    material = Material(runs=(run,), names=names_of([run]), replicates=0)
    return material.suites["small"][0]


def by_hand(run, groups):
    """One corruption after another: mildest severity, surest mistake, first by key, none twice."""
    rows = run.predictions().to_pylist()
    right = {r["key"] for r in rows if r["condition"] == "clean" and r["rank"] == 0}
    taken, found = set(), []
    for group in groups:
        mine = [
            (int(r["condition"][-2]), -r["top_probabilities"][0], r["key"])
            for r in rows
            if r["condition"].startswith(f"{group}(severity=")
            and r["rank"] > 0
            and r["key"] in right - taken
        ]
        if mine:
            severity, share, key = min(mine)
            taken.add(key)
            found.append((severity, share, key, group))
    return sorted(found, key=lambda one: one[:3])


def test_it_is_the_rule_that_is_stated(tmp_path):
    run, _ = measured(tmp_path, extra=True)
    found = chosen(view_of(run), 10)
    wanted = by_hand(run, ["gaussian_noise", "contrast", "glass_blur", "saturate"])
    assert len(wanted) >= 3
    assert [
        (one.cell.severity, -one.after.probability, one.key, one.cell.group) for one in found
    ] == wanted
    for one in found:
        assert one.before.place == run.classes.index(one.label)
        assert one.after.place != one.before.place
        assert one.key.startswith(one.label)
    assert chosen(view_of(run), 2) == found[:2]


def test_a_model_that_never_errs_under_corruption_has_none(tmp_path):
    def stubborn(batch):
        # A little of the picture is in it, since a model that sees nothing is refused.
        return np.array([3.0, 0.0, -3.0]) + batch.mean(axis=(1, 2, 3))[:, None] / 1000

    run, _ = measured(tmp_path, model=stubborn)
    assert chosen(view_of(run), 10) == ()


def test_without_severities_there_is_none(tmp_path):
    text = GRID[: GRID.index("corruptions = [")] + 'conditions = ["contrast(severity=2)"]\n'
    run, _ = measured(tmp_path, text=text, model=network())
    assert chosen(view_of(run), 10) == ()
