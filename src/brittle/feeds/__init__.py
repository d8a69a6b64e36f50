"""Feeds: the pictures of a set under its conditions, made in memory or read from files."""

from brittle.feeds._strips import has_films
from brittle.feeds.base import Feed
from brittle.feeds.footage import footage
from brittle.feeds.generated import generated
from brittle.feeds.moving import moving
from brittle.feeds.read import published
from brittle.feeds.recorded import recorded

__all__ = ["Feed", "footage", "generated", "has_films", "moving", "published", "recorded"]
