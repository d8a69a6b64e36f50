"""What a baseline is: the errors of an agreed model, which other models' errors are divided by."""

from collections.abc import Callable
from dataclasses import dataclass

from brittle import labels
from brittle.errors import ScoreError
from brittle.outcomes import Reads


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Errors in percent under corruptions and on clean images."""

    title: str
    """As printed beside a score: `AlexNet`."""
    about: str
    """Its documentation: `__doc__` of its file."""
    source: str
    """Where the numbers come from."""
    edition: str | None
    """The edition that they were measured on; None where they fit any."""
    classes: str | None
    """The list of class names that the model told apart; None where they fit any."""
    mean: Callable[[str], float | None]
    """Corruption's name -> mean error over the five severities; None where it is not known."""
    clean: float
    moves: Callable[[Reads, str], float | None] = lambda reads, name: None  # noqa: ARG005
    """What is read of frames, and the perturbation's name -> percent, or a distance; None where
    it is not known."""

    def __post_init__(self) -> None:
        """Refuse numbers that are no percentages, and classes that nobody knows."""
        if not 0 <= self.clean <= 100:
            raise ScoreError(f"The baseline {self.title} has a clean error of {self.clean} %.")
        if self.classes is not None and self.classes not in labels.names():
            raise ScoreError(f"The baseline {self.title} is of unknown classes: {self.classes}.")
