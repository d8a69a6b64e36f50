"""Whatever stands in it, markup stays as it was meant: the oracle is html5lib's strict parser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.sections._html import clean, escape, joined, tag, trusted
from tests.helpers.pages import fragment, nodes, words

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style></script></title>",
    "&lt;b&gt; &amp;",
    "javascript:alert(1)",
    "a\x00b\x1bc\u202ed\ud800",
    "]]><!--",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text):
    tree = fragment(str(tag("p", text, title=text, data_x=text)))
    (p,) = nodes(tree, "p")
    assert len(list(tree.iter())) == 2
    assert words(p) == p.get("title") == p.get("data-x") == clean(text)
    assert set(p.attrib) == {"title", "data-x"}


@given(st.text())
def test_any_text_is_read_back(text):
    (p,) = nodes(fragment(str(tag("p", text, title=text))), "p")
    # A parser of HTML takes the old line ends for the new one.
    plain = clean(text).replace("\r\n", "\n").replace("\r", "\n")
    assert words(p) == plain
    assert p.get("title") == plain


def test_only_markup_goes_in_unescaped():
    inner = tag("b", "x")
    assert str(tag("p", inner, str(inner))) == "<p><b>x</b>&lt;b&gt;x&lt;/b&gt;</p>"
    assert str(joined("<", trusted("<hr>"))) == "&lt;<hr>"
    assert str(tag("p", [inner, None, 3, ["a", 0.5]])) == "<p><b>x</b>3a0.5</p>"


def test_attributes():
    made = tag("input", checked=True, disabled=False, id=None, class_="a", aria_label="b", value=0)
    assert str(made) == '<input checked class="a" aria-label="b" value="0">'
    assert str(tag("meta", name="x", http_equiv="y")) == '<meta name="x" http-equiv="y">'


def test_an_element_needs_a_name():
    with pytest.raises(ValueError, match="is no name of an element"):
        tag("p onclick=x")


def test_forbidden_signs_show_as_a_box():
    assert escape("\x00\u202e\ud800") == "\ufffd" * 3
    assert escape("\té漢\n") == "\té漢\n"
