"""Every perturbation: what goes on, a film strip, its parameters and tables."""

from typing import Any

from brittle import rows, suites
from brittle.perturbations import PERTURBATIONS
from scripts.reference._markdown import chapter, shown, table


def section(name: str) -> str:
    """Return the section of one perturbation."""
    part = PERTURBATIONS.load(name)
    kind = (
        f"{'extra' if part.extra else 'test'}, each frame is compared with the {part.reference}, "
        f"version {part.version}"
    )
    row_type: Any = part.row
    fields = rows.fields(row_type)
    several = any(len(listed) > 1 for listed in part.tables.values())
    lines = [
        (
            listed_name if strength == 1 else "",
            *((str(strength),) if several else ()),
            *map(shown, row),
        )
        for listed_name, listed in part.tables.items()
        for strength, row in enumerate(listed, 1)
    ]
    head = ("table", *(("strength",) if several else ()), *fields)
    picture = f"![Frames of {name}, from the first to the last](img/perturbations/{name}.jpg)"
    numbers = table(head, lines, right=len(head) - 1)
    return chapter(name, part, kind=kind, picture=picture, numbers=numbers)


def make() -> str:
    """Return the sections: the ten in the paper's order, then the extra ones."""
    order = suites.get("imagenet-p").perturbations
    extra = [name for name in PERTURBATIONS.names() if name not in order]
    return "\n" + "\n".join(section(name) for name in (*order, *extra))
