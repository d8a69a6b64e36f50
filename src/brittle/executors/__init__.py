"""Executors: how shards and images are mapped over the machine."""

from brittle.executors.base import Executor, OrderedMap, usable_cores
from brittle.families import Family

EXECUTORS: Family[Executor] = Family("executor", "brittle.executors", Executor)

__all__ = ["EXECUTORS", "Executor", "OrderedMap", "usable_cores"]
