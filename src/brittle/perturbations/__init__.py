"""The perturbations: one file each, its numbers by edition beside its frames."""

from brittle.families import Family
from brittle.perturbations.base import Perturbation

PERTURBATIONS: Family[Perturbation] = Family("perturbation", "brittle.perturbations", Perturbation)

__all__ = ["PERTURBATIONS", "Perturbation"]
