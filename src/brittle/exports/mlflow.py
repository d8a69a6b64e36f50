"""mlflow: a run of the experiment `brittle`, with scores, intervals and columns as metrics.

The place is a tracking server's address (`http://...`, `databricks`, `sqlite:///...`), or a folder,
in which a database and the artifacts are made. A metric is `SUITE/SCORE`, its interval
`SUITE/SCORE/low` and `/high`, its columns `SUITE/SCORE/COLUMN`; parameters say what was measured.
"""

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from brittle.errors import MissingExtraError, RunError
from brittle.exports.base import Export, Scored, maker

EXPERIMENT = "brittle"
DATABASE = "mlflow.db"
METRICS_AT_ONCE, PARAMS_AT_ONCE = 1000, 100
LONGEST = 6000
"""Characters that MLflow keeps of a parameter."""

_FORBIDDEN = re.compile(r"[^A-Za-z0-9_\-. /]+")


def log(scored: Sequence[Scored], out: str) -> str:
    """Log the suites as one run, and say where."""
    try:
        mlflow = importlib.import_module("mlflow")
        importlib.import_module("sqlalchemy")
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"An export to MLflow needs {error.name}, which is not installed. Install it: pip "
            f"install 'brittle[mlflow]' (in a checkout: pip install '.[mlflow]')."
        ) from error
    address, artifacts = _place(out)
    try:
        client = mlflow.MlflowClient(tracking_uri=address)
        found = client.get_experiment_by_name(EXPERIMENT)
        experiment = (
            found.experiment_id
            if found
            else client.create_experiment(EXPERIMENT, artifact_location=artifacts)
        )
        run = client.create_run(experiment, run_name=scored[0].run.model, tags=_tags(scored))
        try:
            _fill(client, mlflow.entities, run.info, scored)
        except BaseException:
            client.set_terminated(run.info.run_id, "FAILED")
            raise
        client.set_terminated(run.info.run_id)
    except mlflow.exceptions.MlflowException as error:
        raise RunError(f"MLflow at {address} refused: {error}") from error
    return f"{address} experiment {EXPERIMENT}, run {run.info.run_id}"


def _fill(client: Any, entities: Any, info: Any, scored: Sequence[Scored]) -> None:
    """Log metrics and parameters, as many at a time as MLflow takes."""
    metrics = [entities.Metric(key, value, info.start_time, 0) for key, value in _metrics(scored)]
    params = [entities.Param(key, value[:LONGEST]) for key, value in _params(scored)]
    for at in range(0, len(metrics), METRICS_AT_ONCE):
        client.log_batch(info.run_id, metrics=metrics[at : at + METRICS_AT_ONCE])
    for at in range(0, len(params), PARAMS_AT_ONCE):
        client.log_batch(info.run_id, params=params[at : at + PARAMS_AT_ONCE])
    client.log_dict(info.run_id, _record(scored), "brittle.json")


def key(text: str) -> str:
    """Return a name of a metric that MLflow takes.

    >>> key("imagenet-c/mce/frost(texture=procedural)")
    'imagenet-c/mce/frost_texture_procedural'
    """
    return _FORBIDDEN.sub("_", text).strip("_")


def _place(out: str) -> tuple[str, str | None]:
    """Return the address, and where the artifacts of a folder go."""
    if "://" in out or out == "databricks":
        return out, None
    folder = Path(out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / DATABASE}", (folder / "artifacts").as_uri()


def _tags(scored: Sequence[Scored]) -> dict[str, str]:
    model: Mapping[str, Any] = scored[0].run.info.get("model", {})
    return {
        "mlflow.source.name": maker(),
        "brittle.run": str(getattr(scored[0].run, "path", "")),
        "brittle.model_digest": str(model.get("digest", "")),
    }


def _params(scored: Sequence[Scored]) -> Iterator[tuple[str, str]]:
    yield "model", str(scored[0].run.info.get("spec", scored[0].run.model))
    yield "seed", str(scored[0].run.info.get("seed", ""))
    for one in scored:
        said = {
            "edition": one.suite.edition,
            "pixels": one.suite.facts.get("pixels"),
            "images": max((score.images for score in one.scores), default=None),
            "baseline": next((score.baseline for score in one.scores if score.baseline), None),
        }
        for name, value in said.items():
            if value is not None:
                yield key(f"{one.suite.name}/{name}"), str(value)


def _metrics(scored: Sequence[Scored]) -> Iterator[tuple[str, float]]:
    for one in scored:
        for score in one.scores:
            name = f"{one.suite.name}/{score.name}"
            numbers = {name: score.value, f"{name}/low": score.low, f"{name}/high": score.high}
            numbers |= {f"{name}/{column}": n.value for column, n in score.columns.items()}
            for place, value in numbers.items():
                if value == value:
                    yield key(place), value


def _record(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return what metrics and parameters cannot hold: titles, notes and what was withheld."""
    return {
        one.suite.name: {
            "scores": {
                score.name: {"title": score.title, "notes": list(score.notes)}
                for score in one.scores
            },
            "withheld": dict(one.scores.withheld),
            "citation": one.suite.citation,
        }
        for one in scored
    }


PART = Export(about="a run of MLflow's experiment brittle (extra mlflow)", log=log)
