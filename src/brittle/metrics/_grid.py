"""The corruptions that names such as mCE stand for, and which cells belong to them."""

from collections.abc import Sequence

from brittle.metrics.base import Errors, Sum, mean
from brittle.outcomes import Cell
from brittle.rows import SEVERITIES
from brittle.spec import parse

TEST = (
    "gaussian_noise", "shot_noise", "impulse_noise",
    "defocus_blur", "glass_blur", "motion_blur", "zoom_blur",
    "snow", "frost", "fog", "brightness",
    "contrast", "elastic_transform", "pixelate", "jpeg_compression",
)  # fmt: skip
"""The fifteen test corruptions, in the order of the paper's tables."""
VALIDATION = ("speckle_noise", "gaussian_blur", "spatter", "saturate")
"""The four that the paper keeps apart for validation; they are never part of the mCE."""
FIVE = SEVERITIES


def base(group: str) -> str:
    """Return the corruption's name without parameters.

    >>> base("frost(texture=procedural)")
    'frost'
    """
    return parse(group).name


def tested(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Leave out the validation corruptions."""
    return tuple(cell for cell in cells if not _kept_apart(cell))


def validated(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Leave out the grid's other corruptions."""
    return tuple(cell for cell in cells if cell.role != "grid" or _kept_apart(cell))


def tested_if_any(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Leave out the validation corruptions where there are others."""
    return tested(cells) or tuple(cells)


def divided(errors: Errors) -> Sum:
    """Divide each corruption's mean error by the baseline's; the total is the mean of these CE."""
    means = errors.divisor().means
    columns = {
        group: 100 * (rates.mean(axis=-1) / means[group])
        for group, rates in errors.groups().items()
    }
    return Sum(mean(columns), columns)


def _kept_apart(cell: Cell) -> bool:
    return cell.role == "extra" or (cell.role == "grid" and base(cell.group) in VALIDATION)
