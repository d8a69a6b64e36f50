"""`python -m brittle` is `brittle`."""

from brittle.cli import entry

entry()
