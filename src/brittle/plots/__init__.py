"""Plots: curves, histograms and diagrams drawn into a PNG or SVG file, one file a picture.

They need matplotlib (`pip install "brittle[plot]"`), which is imported when something is drawn.
Lines differ in colour, by Okabe and Ito, and in their dashes, so that no one needs to see colours.
"""

from brittle.plots._histogram import histogram
from brittle.plots._precision_recall import precision_recall
from brittle.plots._reliability import reliability
from brittle.plots._response import response_rate_accuracy
from brittle.plots._roc import roc

__all__ = [
    "histogram",
    "precision_recall",
    "reliability",
    "response_rate_accuracy",
    "roc",
]
