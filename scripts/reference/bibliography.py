"""BibTeX of the papers behind the suites, as the report prints it."""

from importlib import resources


def make() -> str:
    """Return the entries."""
    found = resources.files("brittle.sections").joinpath("references.bib").read_text("utf-8")
    return f"```bibtex\n{found.strip()}\n```\n"
