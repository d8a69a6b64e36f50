"""Every format, found by file, writes any sheet; machines get full precision, people digits."""

import csv
import io
import json
import math
import re

import pytest

from brittle import reports
from brittle.errors import SpecError
from brittle.reports import FORMATS, Column, Figure, Sheet
from brittle.reports.latex import escape

NAMES = FORMATS.names()
SHEET = Sheet(
    title="a_title & 50 %",
    columns=(
        Column("id", "", "left", only="machines"),
        Column("name", "model", "left"),
        Column("mark", "mark", "left", only="people"),
        Column("mce", "mCE", over="All"),
        Column("ce", "CE", over="All"),
        Column("p", "p"),
        Column("images", "images"),
    ),
    rows=(
        ("a", "timm:a_b|c", "*", Figure(76.123456789, 75.5, 77.25),
         Figure(79.6, 1, 2, 0, shown=False), Figure(0.0001, digits=3, least=True), 50_000),
        ("b", "x", "", Figure(5.0, -0.01, 0.04, signed=True), None, None, None),
        ("c", "y", "", Figure(math.nan, math.nan, math.nan), Figure(-3.0, digits=0),
         Figure(1.0), 3),
    ),
    facts={"edition": "imagenet-224", "images": 50_000},
    notes=("not_the published number [1]",),
    rules=(2,),
)  # fmt: skip


def test_the_formats_are_there():
    assert set(NAMES) >= {"text", "md", "latex", "csv", "json"}


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_in_one_line_feed_and_is_the_same_every_time(name):
    part = FORMATS.load(name)
    text = part.render([SHEET])
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text == part.render([SHEET])
    assert part.about
    assert part.suffix.startswith(".")
    assert not any(line != line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("name", ["text", "md", "latex"])
def test_people_are_shown_digits_and_intervals(name):
    text = reports.render(SHEET, name).replace("$", "").replace(r"\scriptsize ", "")
    assert "76.1" in text
    assert "75.5, 77.2" in text
    assert "76.12" not in text
    assert "80" in text
    assert "1, 2" not in text
    assert "<0.001" in text.replace("\\<", "<")
    assert "0.0, 0.0" in text
    assert "nan" not in text
    assert "50,000" in text
    assert "\\_the" in text or "not_the" in text


def test_text_is_aligned_and_ruled():
    lines = reports.render(SHEET).splitlines()
    assert lines[0] == "a_title & 50 %"
    assert lines[1] == "edition imagenet-224, 50,000 images"
    table = lines[4:9]
    assert set(table[1]) == {"-"} == set(table[4])
    assert table[0].startswith("model       mark")
    assert table[2].index("77.2]") + 4 == table[3].index("0.0]") + 3
    assert lines[-1] == "note: not_the published number [1]"


def test_a_wide_table_is_cut_into_blocks_that_repeat_the_first_column():
    columns = (
        Column("m", "model", "left"),
        *(Column(f"c{n}", f"column {n:02}") for n in range(30)),
    )
    sheet = Sheet(
        title="wide",
        columns=columns,
        rows=(("timm:a", *(Figure(float(n)) for n in range(30))),),
        facts={},
    )
    text = reports.render(sheet)
    assert max(map(len, text.splitlines())) <= 120
    assert text.count("timm:a") == 3
    assert all(text.count(f"column {n:02}") == 1 for n in range(30))


def test_short_titles_and_narrow_gaps_are_for_tables_that_are_too_wide():
    def made(count):
        return reports.render(
            Sheet(
                title="t",
                columns=tuple(Column(f"c{n}", "long title", short="s") for n in range(count)),
                rows=(tuple(Figure(1.0) for _ in range(count)),),
                facts={},
            )
        )

    assert "long title  long title" in made(10)
    assert "  s    s" in made(11)
    assert "  s   s" in made(30)
    assert len(made(30).splitlines()) == 5


def test_markdown_has_a_cell_for_every_column():
    lines = reports.render(SHEET, "md").splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 5
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 7
    assert rows[1] == "| --- | --- | ---: | ---: | ---: | ---: |"
    assert r"timm:a\_b\|c" in rows[2]


def test_latex_is_balanced():
    text = reports.render(SHEET, "latex")
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert body.startswith(r"\begin{tabular}{llrrrr}")
    assert body.endswith(r"\end{tabular}")
    assert body.count("{") == body.count("}")
    assert body.count("$") % 2 == 0
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 5
    for row in rows:
        spanned = sum(int(n) - 1 for n in re.findall(r"\\multicolumn{(\d+)}", row))
        assert len(re.findall(r"(?<!\\)&", row)) + spanned == 5
    assert r"\cmidrule(lr){3-4}" in body
    assert body.count(r"\midrule") == 2
    for sign in "&%#_":
        assert not re.search(
            rf"(?<!\\){sign}", re.sub(r" & | &$|^ ?&", "", body.replace(r"\\", ""))
        )


def test_latex_escapes_every_special_sign():
    assert escape('\\{}$&#%_^~<>|"') == (
        r"\textbackslash{}\{\}\$\&\#\%\_\textasciicircum{}\textasciitilde{}"
        r"\textless{}\textgreater{}\textbar{}''"
    )


def test_latex_keeps_a_bracket_from_the_line_before():
    sheet = Sheet(title="t", columns=(Column("a", "a", "left"),), rows=(("[x]",),), facts={})
    assert "\n{}[x]" in reports.render(sheet, "latex")


def test_csv_is_exact_with_intervals_in_their_own_columns():
    rows = list(csv.DictReader(io.StringIO(reports.render(SHEET, "csv"))))
    assert list(rows[0]) == [
        "id", "name", "mce", "mce_low", "mce_high", "ce", "ce_low", "ce_high", "p", "images",
    ]  # fmt: skip
    assert float(rows[0]["mce"]) == 76.123456789
    assert float(rows[0]["mce_high"]) == 77.25
    assert rows[0]["images"] == "50000"
    assert rows[1]["ce"] == rows[2]["mce"] == rows[2]["mce_low"] == ""
    assert float(rows[0]["p"]) == 0.0001


def test_csv_divides_sheets_by_an_empty_line():
    assert reports.render([SHEET, SHEET], "csv").count("\n\nid,name") == 1


def test_json_is_exact_and_says_what_it_is():
    found = json.loads(reports.render([SHEET], "json"))
    assert (found["format"], found["format_version"]) == ("brittle-report", 1)
    (sheet,) = found["sheets"]
    assert sheet["rows"][0] == {
        "id": "a", "name": "timm:a_b|c",
        "mce": {"value": 76.123456789, "low": 75.5, "high": 77.25},
        "ce": {"value": 79.6, "low": 1, "high": 2}, "p": 0.0001, "images": 50_000,
    }  # fmt: skip
    assert sheet["rows"][2]["mce"] == {"value": None, "low": None, "high": None}
    assert sheet["facts"] == {"edition": "imagenet-224", "images": 50_000}
    assert [column["key"] for column in sheet["columns"]] == list(sheet["rows"][0])


def test_an_unknown_format_gets_the_nearest():
    with pytest.raises(SpecError, match=r"no format 'latx'\. Did you mean latex"):
        reports.render(SHEET, "latx")


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(0.04), "0.0"),
        (Figure(-0.04), "0.0"),
        (Figure(-0.04, signed=True), "0.0"),
        (Figure(0.06, signed=True), "+0.1"),
        (Figure(0.0, digits=3, least=True), "0.000"),
        (Figure(99.95), "100.0"),
        (Figure(math.nan), "-"),
    ],
)
def test_rounding(figure, text):
    assert figure.text(figure.value) == text
