"""Layouts: data sets on disk, one file a way to lay them out."""

from brittle.families import Family
from brittle.layouts._cells import Cell, cells, place, safe
from brittle.layouts.base import Job, Layout, Writer

LAYOUTS: Family[Layout] = Family("layout", "brittle.layouts", Layout)

__all__ = ["LAYOUTS", "Cell", "Job", "Layout", "Writer", "cells", "place", "safe"]
