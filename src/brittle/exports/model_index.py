"""model_index: the `model-index` block of a Hugging Face model card.

YAML between two lines of dashes, to be put at the top of a README.md, or merged with what is there.
Every suite is a result of the task image-classification; a metric's `args` hold its interval, its
images and what is off the published number.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brittle.exports.base import Export, Scored, maker
from brittle.scoring.scores import Score

TASK = {"type": "image-classification", "name": "Image Classification"}


def render(scored: Sequence[Scored]) -> str:
    """Write the block."""
    found = {
        "model-index": [
            {"name": scored[0].run.model, "results": [_result(one) for one in scored if one.scores]}
        ]
    }
    return "\n".join(["---", *_yaml(found), "---"]) + "\n"


def _result(one: Scored) -> dict[str, Any]:
    facts = one.suite.facts
    args = {
        "edition": one.suite.edition,
        "pixels": facts.get("pixels"),
        "classes": facts.get("class_list"),
        "subset": facts.get("subset"),
        "seed": one.run.info.get("seed"),
        "measured_with": maker(),
    }
    return {
        "task": TASK,
        "dataset": {
            "name": one.suite.about,
            "type": one.suite.name,
            "args": {key: value for key, value in args.items() if value is not None},
        },
        "metrics": [_metric(score) for score in one.scores],
    }


def _metric(score: Score) -> dict[str, Any]:
    args: dict[str, Any] = {"unit": score.unit, "better": score.better, "images": score.images}
    if score.low == score.low:
        args |= {"low": score.low, "high": score.high, "level": score.level}
    if score.baseline:
        args["baseline"] = score.baseline
    if score.notes:
        args["notes"] = list(score.notes)
    return {"type": score.name, "value": score.value, "name": score.title, "args": args}


def _yaml(value: Any, indent: str = "") -> Iterator[str]:
    """Yield the lines of mappings, lists, texts, numbers and truths, which are all there is.

    Texts are quoted as in JSON, which YAML reads alike.

    >>> print(*_yaml({"a": [{"b": "x: y", "c": 1.5}], "d": []}), sep="\\n")
    a:
    - b: "x: y"
      c: 1.5
    d: []
    """
    if isinstance(value, Mapping):
        for key, one in value.items():
            if isinstance(one, (Mapping, list)) and one:
                yield f"{indent}{key}:"
                yield from _yaml(one, indent if isinstance(one, list) else f"{indent}  ")
            else:
                yield f"{indent}{key}: {_scalar(one)}"
        return
    for one in value:
        lines = list(_yaml(one, f"{indent}  ")) if isinstance(one, Mapping) else [_scalar(one)]
        yield f"{indent}- {lines[0].lstrip()}"
        yield from lines[1:]


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        if value != value:
            return "null"
        # A number with an exponent is a text to some readers of YAML.
        return f"{value:.20f}" if "e" in repr(value) else repr(value)
    return json.dumps(value, ensure_ascii=False)


PART = Export(about="the model-index block of a Hugging Face model card", render=render)
