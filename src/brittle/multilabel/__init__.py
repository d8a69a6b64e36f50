"""Scores of models that name several classes of one picture: average precision and its means."""

from brittle.multilabel.means import mean, weighted_mean
from brittle.multilabel.precision import AveragePrecision, average_precision

__all__ = ["AveragePrecision", "average_precision", "mean", "weighted_mean"]
