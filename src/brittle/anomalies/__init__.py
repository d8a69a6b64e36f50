"""Synthetic anomalies: pictures of nothing, one kind a file, made from a stream at any size."""

from brittle.anomalies.base import Anomaly
from brittle.families import Family

ANOMALIES: Family[Anomaly] = Family("synthetic anomaly", "brittle.anomalies", Anomaly)

__all__ = ["ANOMALIES", "Anomaly"]
