import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle import labels
from brittle.errors import LabelError
from brittle.labels import many

NAMES = st.text(st.characters(blacklist_characters="|", codec="utf-8"), min_size=1, max_size=6)


@given(st.lists(NAMES))
def test_split_undoes_join(names: list[str]) -> None:
    text = many.join(names)
    assert many.join(many.split(text)) == text
    assert len(many.split(text)) <= len(set(names))
    assert many.join(names[::-1] + names) == text


def test_one_class_is_its_name_and_none_is_the_empty_text() -> None:
    assert many.join(["hot dog"]) == "hot dog"
    assert many.join([]) == ""
    assert many.split("") == ()


def test_names_have_one_form() -> None:
    assert many.join(["cafe\u0301"]) == "caf\u00e9"


@pytest.mark.parametrize("name", ["", "a|b", "|"])
def test_a_name_that_cannot_be_joined_is_refused(name: str) -> None:
    with pytest.raises(LabelError, match="cannot be one of several class names, which are joined"):
        many.join(["cat", name])


@pytest.mark.parametrize("text", ["b|a", "a|a", "cafe\u0301|z"])
def test_a_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(LabelError, match=r"is no label text: names are joined by '\|', each once"):
        many.split(text)


@pytest.mark.parametrize("text", ["a|", "|", "a||b"])
def test_an_empty_name_in_a_text_is_refused(text: str) -> None:
    with pytest.raises(LabelError, match="'' cannot be one of several"):
        many.split(text)


def test_the_matrix_goes_by_name() -> None:
    found = many.matrix(["b|c", "", "a"], ["c", "b", "a", "unused"])
    assert found.dtype == np.bool_
    assert found.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert many.matrix([], ["a"]).shape == (0, 1)


def test_labels_that_are_no_classes_are_named() -> None:
    with pytest.raises(LabelError, match=r"^d, e are not among the 2 classes"):
        many.matrix(["a|d", "e", "a"], ["a", "b"])
    with pytest.raises(LabelError, match=r"^c0, c1, c2, c3, c4 and 3 more are not among"):
        many.matrix([f"c{n}" for n in range(8)], ["a"])


def test_an_image_that_nobody_labelled_is_refused() -> None:
    with pytest.raises(LabelError, match="1 of 3 images has no label; label them"):
        many.matrix(["a", None, ""], ["a"])
    with pytest.raises(LabelError, match="2 of 2 images have no label"):
        many.matrix([None, None], ["a"])


def test_no_published_class_holds_the_separator() -> None:
    for name in labels.names():
        assert not any(many.SEPARATOR in one for one in labels.known(name)), name
