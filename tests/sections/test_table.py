"""A sheet as HTML: the same numbers, a cell each, and nothing else."""

import math

from brittle.reports.base import Column, Figure, Sheet
from brittle.sections._table import noted, notes, table
from tests.helpers.pages import SPACE, fragment, nodes
from tests.helpers.pages import table as cells

SHEET = Sheet(
    title="t <1>",
    columns=(
        Column("id", "id", "left", only="machines"),
        Column("name", "model", "left"),
        Column("mce", "mCE", over="Noise"),
        Column("ce", "CE", over="Noise"),
        Column("images", "images"),
    ),
    rows=(
        ("x", "a_b", Figure(76.123456789, 75.5, 77.25), Figure(79.6, digits=0), 50_000),
        ("y", "<i>", Figure(math.nan, math.nan, math.nan), None, None),
        ("z", "c", Figure(-3.0), Figure(1.0, digits=0), 3),
    ),
    facts={},
    notes=("one & two",),
    rules=(2,),
)


def test_it_holds_what_the_sheet_holds():
    tree = fragment(str(table(SHEET)))
    assert cells(tree) == [
        ["", "Noise", ""],
        ["model", "mCE", "interval", "CE", "images"],
        ["a_b", "76.1", "[75.5, 77.2]", "80", "50,000"],
        ["<i>", "-", "", "-", "-"],
        ["c", "-3.0", "", "1", "3"],
    ]
    full = [cell.get("data-v") for cell in nodes(tree, "td") if cell.get("data-v") is not None]
    assert full == ["76.123456789", "79.6", "50000", "", "-3.0", "1.0", "3"]


def test_every_row_is_as_wide_as_the_head():
    tree = fragment(str(table(SHEET)))
    wide = {
        sum(int(cell.get("colspan", 1)) for cell in row if cell.tag != SPACE + "x")
        for row in nodes(tree, "tr")
    }
    assert wide == {5}


def test_parts_have_bodies_and_rows_have_heads():
    tree = fragment(str(table(SHEET)))
    assert [len(nodes(body, "tr")) for body in nodes(tree, "tbody")] == [2, 1]
    assert [cell.get("scope") for cell in nodes(tree, "th")][-1] == "row"
    assert [cell.text for cell in nodes(tree, "caption")] == ["t <1>"]


def test_notes_stand_below():
    assert "one &amp; two" in str(noted(SHEET))
    assert not notes(())
