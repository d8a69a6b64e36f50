"""What was measured, as scores see it: cells, and the rank of the true class in each of them.

A *cell* is one condition of one set of images. A suite is a list of cells that play parts; an
outcome holds, for one set, a row an image and a column a condition. Nothing here knows a model, a
file or a picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

UNLABELLED = -1
"""The rank of an image that has no label."""
MISSING = -2
"""The rank where nothing was measured yet."""

Role = Literal["clean", "grid", "extra", "free", "iid", "shift", "sequence", "out", "fit"]
"""What a cell is in its suite: the clean images; a corruption at a severity (of the suite's own or
of its extra ones); a condition off the grid; the in-distribution images; shifted images; sequences
of frames; images of what the model does not know; in-distribution images to fit detectors on."""

UNNAMED: tuple[Role, ...] = ("sequence", "out")
"""The roles of cells whose images need no class of the model."""

COLUMNED: tuple[Role, ...] = ("grid", "extra", "sequence")
"""The roles of cells that are summed under a column of their group's name."""

FOOTAGE = "footage"
"""The group of one's own films, which no perturbation made."""

Movement = Literal["flips", "top5_distance", "zipf_distance"]
"""How the predictions of two frames differ: in the foremost class, or by how far classes moved."""

Reads = Literal["top1", "top5", Movement]
"""What a metric reads of a cell: whether the true class is the foremost, or among five; or how the
predictions of frames move."""
MOVEMENTS: tuple[Movement, ...] = get_args(Movement)


class Cell(NamedTuple):
    """One condition of one set, and its part in a suite."""

    set: str
    """Identifies the images, their preparation and where the pixels came from, within a run."""
    condition: str
    """The canonical name of what was done to them; `clean` for nothing."""
    role: Role
    group: str
    """The column that it is summed under: a corruption's name with what is off the published table
    (`fog`, `frost(texture=procedural)`), a shift's name, or the condition itself."""
    severity: int | None = None
    """1 to 5 of a corruption; the strength of a noise that has several, in sequences."""


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A suite as it was measured in a run."""

    name: str
    about: str
    edition: str
    cells: tuple[Cell, ...]
    scores: tuple[str, ...]
    """Names of the metrics that the suite is summed by, the foremost first."""
    baseline: str | None = None
    """Name of the baseline that errors are divided by, unless another one is asked for."""
    citation: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What a reader must know besides: `pixels` is `generated` or `read`, and so on."""

    @property
    def graded(self) -> bool:
        """Whether there are corruptions at severities."""
        return any(cell.role in ("grid", "extra") for cell in self.cells)

    @property
    def moving(self) -> bool:
        """Whether there are sequences of frames."""
        return any(cell.role == "sequence" for cell in self.cells)

    @property
    def strange(self) -> bool:
        """Whether there are pictures of what the model does not know."""
        return any(cell.role == "out" for cell in self.cells)

    @property
    def task(self) -> Literal["single", "multi"]:
        """Whether a picture has one class or several."""
        return "multi" if self.facts.get("task") == "multi" else "single"

    @property
    def foremost_only(self) -> bool:
        """Whether the model gives the foremost class and no probabilities."""
        return bool(self.facts.get("gives") == "classes")


class Steps(NamedTuple):
    """How the predictions of sequences move, comparison by comparison."""

    values: NDArray[Any]
    """Sequences x comparisons; what is beyond a sequence's own count is 0."""
    counts: NDArray[np.intp]
    """How many comparisons each sequence has; 0 where it was not measured."""
    frames: tuple[int, ...] = ()
    """The frame of each comparison that is compared with its reference."""


class Frames(Protocol):
    """The predictions of sequences, under every condition of an outcome."""

    def steps(self, condition: str, kind: Movement, difficulty: int = 1) -> Steps:
        """Compare frames with their references; what the run has not kept is a `ScoreError`."""


class Outcome(NamedTuple):
    """The ranks of the true classes of one set of images under several conditions."""

    keys: tuple[str, ...]
    """The images' keys, each once."""
    labels: tuple[str | None, ...]
    """The name of each image's class."""
    digests: tuple[str, ...]
    """SHA-256 of each image as stored; the empty text where nobody read it beforehand."""
    conditions: tuple[str, ...]
    ranks: NDArray[np.int16]
    """Images x conditions: how many classes were put before the true one, so that 0 is right and
    under 5 is right in the top five; `UNLABELLED` or `MISSING` where there is no rank. Of sequences
    it is the rank in the first frame."""
    frames: Frames | None = None
    """The predictions of every frame, where the images are sequences."""
