"""How easily a vision model breaks, and by how much."""

from brittle._version import __version__

__all__ = ["__version__"]
