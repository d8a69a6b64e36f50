"""Every suite: its edition, what it holds, its scores."""

from brittle import suites
from scripts.reference._markdown import cell, table


def held(suite: suites.Suite) -> str:
    """Say in a few words what a suite is made of."""
    if suite.corruptions:
        grid = f"{len(suite.corruptions)} corruptions x {len(suite.severities)} severities"
        return grid + (f" (+{len(suite.extra)} extra)" if suite.extra else "")
    if suite.perturbations:
        extra = f" (+{len(suite.extra)} extra)" if suite.extra else ""
        return f"{len(suite.perturbations)} perturbations{extra}"
    if suite.free:
        return ", ".join(f"`{text}`" for text in suite.free)
    if suite.footage:
        return "films"
    if suite.outliers:
        return "known pictures and strange ones"
    return "photographs" if suite.photographs == "one" else "several sets of photographs"


def make() -> str:
    """Return the table."""
    lines = []
    for name in suites.names():
        suite = suites.get(name)
        scores = ", ".join(f"`{score}`" for score in suite.scores)
        subset = suite.subset or suite.classes or ""
        row = (f"`{name}`", cell(suite.about), held(suite), f"`{suite.edition}`", subset, scores)
        lines.append(row)
    return table(("suite", "is", "holds", "edition", "classes", "scores"), lines)
