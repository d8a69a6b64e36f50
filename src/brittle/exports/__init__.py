"""Exports: a run in the forms of other tools, one file each (see `base.Export`).

>>> EXPORTS.names()
('mlflow', 'model_index', 'robustbench', 'timm_csv')
"""

import os
from pathlib import Path

from brittle._compare import AnyRun
from brittle._run import Run
from brittle.errors import RunError, SpecError
from brittle.exports.base import Export, Form, Scored, measure
from brittle.families import Family, hint
from brittle.files import write_bytes

__all__ = ["EXPORTS", "Export", "Form", "Scored", "export", "find"]

EXPORTS: Family[Export] = Family("export format", "brittle.exports", Export)


def find(name: str) -> Export:
    """Return an export by name; `-` counts as `_`: `model-index`."""
    plain = name.strip().lower().replace("-", "_")
    if plain not in EXPORTS.names():
        known = [one.replace("_", "-") for one in EXPORTS.names()]
        raise SpecError(hint(name, known, EXPORTS.noun))
    return EXPORTS.load(plain)


def export(
    run: AnyRun,
    format: str,  # noqa: A002
    out: str | os.PathLike[str] | None = None,
    *,
    suite: str | None = None,
    baseline: AnyRun | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> str:
    """Write a run in the form of another tool, and return the text or where it has been logged.

    A form that is a text is returned, and written to the file `out` where one is given; one that is
    logged needs `out`: a folder, or the address of a server. `suite` picks one where the form takes
    only one and the run has several. What the form cannot hold of a run is a `ScoreError`.
    """
    form = find(format)
    scored = measure(
        Run.open(run), suite, baseline=Run.baseline(baseline), replicates=replicates, level=level
    )
    if form.render is not None:
        text = form.render(scored)
        if out is not None:
            write_bytes(Path(out), text.encode())
        return text
    assert form.log is not None
    if out is None:
        raise RunError(f"An export to {format} needs a place: a folder, or a server's address.")
    return form.log(scored, os.fspath(out))
