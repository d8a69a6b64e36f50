"""Feeds: the pictures of a set under its conditions, made in memory or read from files."""

from brittle.feeds.base import Feed
from brittle.feeds.generated import generated
from brittle.feeds.read import published

__all__ = ["Feed", "generated", "published"]
