"""The page in a real browser: silent, on its own, readable on a phone, and alive."""

import pytest

import brittle
from tests.helpers import browser
from tests.sections.runs import labelled, measured
from tests.sections.strange import steady, strange
from tests.test_report import changed

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(browser.find() is None, reason="there is no Chromium on this machine"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    root = tmp_path_factory.mktemp("browser")
    source = labelled(root / "pictures", 36)
    runs = [
        measured(root, name, source=source, extra=True, **options)[0]
        for name, options in (("one", {}), ("two", {"model": changed()}))
    ]
    return brittle.report(runs, root / "r.html", data=source, replicates=100)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """A page of sequences with their frames, and of known and strange pictures."""
    root = tmp_path_factory.mktemp("others")
    moved, pictures = steady(root)
    return brittle.report([moved, strange(root)], root / "r.html", data=pictures, replicates=100)


@pytest.mark.parametrize("width", [360, 800, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["path", "other"])
def test_it_loads_in_silence_and_asks_for_nothing(which, width, scheme, request):
    path = request.getfixturevalue(which)
    with browser.page(width=width) as tab:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        tab.call("Emulation.setEmulatedMedia", features=[feature])
        tab.open(path.as_uri())
        ready = tab.run("new Promise(r => setTimeout(() => r(document.readyState), 300))")
        assert ready == "complete"
        assert tab.complaints() == []
        # Pictures in the page are no requests to anywhere.
        asked = [url for url in tab.requests() if not url.startswith("data:")]
        assert asked == [path.as_uri()]
        assert tab.run("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
        # Wide tables scroll by themselves; the page does not.
        assert tab.run("document.documentElement.scrollWidth") <= width
        dark = tab.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)"
        assert dark == (scheme == "dark")
        shown = "[...document.querySelectorAll('.wide, .narrow')].filter(d => d.offsetParent)"
        kind = "narrow" if width == 360 else "wide"
        assert tab.run(f"{shown}.length") > 0
        assert tab.run(f"{shown}.every(d => d.className === '{kind}')")
        letters = f"{shown}.flatMap(d => [...d.querySelectorAll('text')])"
        assert tab.run(f"Math.min(...{letters}.map(t => t.getBoundingClientRect().height))") >= 9


def test_a_foreign_script_does_not_run(path, tmp_path):
    text = path.read_text("utf-8")
    bad = tmp_path / "bad.html"
    evil = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    bad.write_text(text.replace("</main>", f"{evil}</main>"), "utf-8")
    with browser.page() as tab:
        tab.open(bad.as_uri())
        assert tab.run("document.title") != "owned"
        assert any("Content Security Policy" in str(one) for one in tab.complaints())


def test_runs_can_be_switched_off_in_the_curves(path):
    with browser.page() as tab:
        tab.open(path.as_uri())
        marks = "[...document.querySelectorAll('#curves .curves [stroke=\"var(--s1)\"]')]"
        shown = f"{marks}.filter(m => getComputedStyle(m).display !== 'none').length"
        assert tab.run(shown) > 0
        tab.run("document.querySelector('#curves .legend [data-place=\"1\"]').click()")
        assert tab.run(shown) == 0
        others = "[...document.querySelectorAll('#curves .curves [stroke=\"var(--s0)\"]')]"
        assert tab.run(f"{others}.every(m => getComputedStyle(m).display !== 'none')")


def test_tables_copy_in_full_precision_and_sort(path):
    with browser.page() as tab:
        tab.open(path.as_uri())
        tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        tab.run("document.querySelector('#headline button.copy').click()")
        rows = [row.split("\t") for row in tab.run("window.copied").splitlines()]
        assert rows[0][:3] == ["score", "model", "%"]
        assert len({len(row) for row in rows}) == 1
        values = [float(row[2]) for row in rows[1:]]
        assert any(round(value, 1) != value for value in values)
        table = "document.querySelector('#classes table')"
        tab.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        tab.run(f"{table}.tHead.rows[0].cells[1].click()")
        counts = tab.run(f"[...{table}.tBodies[0].rows].map(r => +r.cells[1].dataset.v)")
        assert counts == sorted(counts)
        assert len(counts) == 2


def test_without_a_script_it_says_the_same(path):
    with browser.page() as tab:
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.open(path.as_uri())
        root = tab.call("DOM.getDocument", depth=-1)["root"]
        html = tab.call("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"]
        assert html.count("<svg") > 8
        body = html.partition("<main>")[2].partition("</main>")[0]
        assert "<button" not in body
        assert "aria-sort" not in body


def test_it_prints(path):
    with browser.page() as tab:
        tab.open(path.as_uri())
        got = tab.call("Page.printToPDF", transferMode="ReturnAsBase64")
        assert got["data"].startswith("JVBERi")
        tab.call("Emulation.setEmulatedMedia", media="print")
        assert tab.run("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert tab.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
