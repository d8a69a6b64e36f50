"""What a baseline is: the errors of an agreed model, which other models' errors are divided by."""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass

from brittle.errors import ScoreError


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Errors in percent under corruptions and on clean images."""

    title: str
    """As printed beside a score: `AlexNet`."""
    source: str
    """Where the numbers come from."""
    edition: str | None
    """The edition that they were measured on; None where they fit any."""
    mean: Callable[[str], float | None]
    """Corruption's name -> mean error over the five severities; None where it is not known."""
    clean: float

    def __post_init__(self) -> None:
        """Refuse numbers that are no percentages."""
        if not 0 <= self.clean <= 100:
            raise ScoreError(f"The baseline {self.title} has a clean error of {self.clean} %.")

    @property
    def about(self) -> str:
        """The baseline's documentation: the docstring of its file."""
        return inspect.getdoc(sys.modules[self.mean.__module__]) or ""
