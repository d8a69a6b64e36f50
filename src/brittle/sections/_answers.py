"""What a model said of pictures, as a report tells it: the foremost class and how sure it was."""

from typing import Any, NamedTuple

import numpy as np

from brittle.sections._html import Html, tag

COLUMNS = ("top_classes", "top_probabilities")


class Answer(NamedTuple):
    """What a model said of a picture."""

    place: int
    """The output's number."""
    probability: float
    """Of a model that gives the foremost class only it says nothing."""


def answers(rows: Any) -> list[Answer]:
    """Return the answers of the rows of a run, in their order."""
    import pyarrow.compute as pc

    if not len(rows):
        return []
    places = pc.list_element(rows["top_classes"], 0).to_numpy()
    shares = pc.list_element(rows["top_probabilities"], 0).to_numpy().astype(np.float64)
    return [Answer(int(p), float(s)) for p, s in zip(places, shares, strict=True)]


def share(answer: Answer, *, known: bool) -> Html | None:
    """Return how sure the model was, where that is known."""
    return tag("span", f"{100 * answer.probability:.0f} %", class_="share") if known else None
