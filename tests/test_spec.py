import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.errors import SpecError
from brittle.spec import Spec, parse, parse_chain

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,12}", fullmatch=True)
VALUES = st.one_of(
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12),
    st.lists(st.floats(-1e6, 1e6), max_size=4).map(tuple),
)
SPECS = st.builds(Spec, NAMES, st.dictionaries(NAMES, VALUES, max_size=4))


@given(SPECS)
def test_what_is_printed_is_parsed_back(spec):
    again = parse(str(spec))
    assert str(again) == str(spec)
    assert again == spec
    assert hash(again) == hash(spec)


@given(st.lists(SPECS, min_size=1, max_size=3))
def test_chains_too(specs):
    assert list(parse_chain("+".join(map(str, specs)))) == specs


@given(st.text(max_size=30))
def test_any_other_text_is_refused_and_nothing_else_happens(text):
    try:
        spec = parse(text)
    except SpecError:
        return
    assert parse(str(spec)) == spec


def test_one_number_has_one_spelling():
    assert str(parse("a(x=1.0)")) == str(parse("a( x = 1 )")) == "a(x=1)"
    assert str(parse("a(x=0.10)")) == "a(x=0.1)"
    assert parse("a(x=true)").params == {"x": True}
    assert parse("a(x=procedural)").params == {"x": "procedural"}
    assert parse('a(x="true")').params == {"x": "true"}
    assert parse("a(x=[1, 2.5])").params == {"x": (1, 2.5)}
    assert str(parse("fog(decay=2, severity=3)")) == "fog(severity=3, decay=2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a name at position 0, found the end"),
        ("fog(", "expected a parameter's name"),
        ("fog(severity)", "expected '='"),
        ("fog(severity=)", "expected a number, a word"),
        ("fog(severity=3", "expected '\\)'"),
        ("fog(severity=3) x", "expected end of the text or '\\+'"),
        ("fog(a=1, a=2)", "gives a twice"),
        ("fog(a=[1, x])", "expected a number"),
        ("fog(a=1e999)", "too large"),
        ("3fog", "expected a name"),
        ("a+", "expected a name"),
    ],
)
def test_refusals_say_where_and_what(text, message):
    with pytest.raises(SpecError, match=message):
        parse_chain(text)


def test_one_part_where_one_is_asked():
    with pytest.raises(SpecError, match="a chain of 2 parts"):
        parse("a+b")
