"""Completion for shells: a script made from the parsers of the command line, one file a shell."""

from brittle.completion.base import Argument, Command, Shell, describe
from brittle.families import Family

__all__ = ["SHELLS", "Argument", "Command", "Shell", "describe"]

SHELLS: Family[Shell] = Family("shell", "brittle.completion", Shell)
