"""What brittle refuses, and how it says so.

Every error of brittle's own is a `BrittleError`. Its message says what was given, what is allowed
and what to do; the command line prints it and leaves with exit code 2.
"""


class BrittleError(Exception):
    """The root of everything that brittle raises on purpose."""


class SpecError(BrittleError, ValueError):
    """A name or a parameter that no part answers to."""


class ImageError(BrittleError, ValueError):
    """Pixels that are not what they must be: wrong type, shape, or bytes that do not decode."""


class SourceError(BrittleError):
    """A source of images that cannot be read as one: no images, twin keys, broken files."""


class BuildError(BrittleError):
    """A data set on disk that cannot be built, resumed or verified as asked."""


class ModelError(BrittleError):
    """A model that cannot be loaded, or whose outputs are not what a classifier's must be."""


class LabelError(BrittleError):
    """Labels and classes that do not fit by name."""


class RunError(BrittleError):
    """A run on disk that cannot be begun, resumed, merged or read as asked."""


class ScoreError(BrittleError):
    """A score that cannot be given for what was measured; the message names what is missing."""


class OutOfMemoryError(BrittleError, MemoryError):
    """A batch that did not fit the device; it is halved and tried again."""


class AssetError(BrittleError):
    """A file that may not be shipped and has not been fetched, or is not what it should be."""


class MissingExtraError(BrittleError, ImportError):
    """An optional dependency that is not installed; the message holds the install command."""
