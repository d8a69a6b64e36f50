"""Pictures made in memory: decoded and prepared once, then put through every condition.

A condition of an edition that publishes JPEG files makes the same round trip through a JPEG, so
that what is measured in memory is what would be measured from the files of a build. The clean
picture makes none: nothing is done to it.
"""

import hashlib
from collections.abc import Iterator, Sequence

from brittle._survey import Survey
from brittle.codec import decode_jpeg, encode_jpeg
from brittle.conditions import CLEAN, Condition, condition
from brittle.editions import Edition
from brittle.errors import BrittleError, ImageError, SourceError
from brittle.feeds.base import Feed
from brittle.sources import Item, Source
from brittle.types import Pixels


def generated(
    source: Source,
    seen: Survey,
    edition: Edition,
    made: Sequence[Condition],
    *,
    seed: int,
    jpeg: bool = True,
) -> Feed:
    """Return the feed of a surveyed source; without `jpeg` pictures keep every bit of theirs."""
    quality = edition.jpeg if jpeg else None
    lossless = quality != edition.jpeg
    known = {str(one): one for one in made}

    def named(name: str) -> Condition:
        # The feed of one suite serves another on the same images, whose conditions it learns. They
        # are made once: frost must not change its texture when photographs come or go meanwhile.
        if name not in known:
            known[name] = condition(name, edition=edition.name)
            assert str(known[name]) == name
        return known[name]

    def give(item: Item, digest: str, names: Sequence[str]) -> Iterator[Pixels]:
        data = source.read(item)
        if hashlib.sha256(data).hexdigest() != digest:
            raise SourceError(
                f"{item.name} has changed since the run began; restore it, or begin another run."
            )
        clean = edition.prepare(source.decode(item, data))
        for name in names:
            if name == CLEAN:
                yield clean
                continue
            try:
                pixels = named(name).apply(clean, seed=seed, key=item.key)
            except BrittleError as error:
                raise ImageError(f"{name} of {item.key}: {error}") from error
            yield pixels if quality is None else decode_jpeg(encode_jpeg(pixels, quality))

    versions: dict[str, int] = {}
    for one in made:
        versions |= one.versions
    return Feed(
        edition=edition,
        pixels="generated",
        items=seen.items,
        digests=seen.digests,
        conditions=tuple(known),
        versions=versions,
        fingerprint=_fingerprint(seen.fingerprint, lossless=lossless, exif=source.upright),
        give=give,
        facts={
            "source": source.kind,
            "source_fingerprint": seen.fingerprint,
            "skipped": list(seen.skipped),
            "jpeg": quality,
            "lossless": lossless,
            "exif": source.upright,
        },
        largest=max(seen.sizes, key=lambda size: size[0] * size[1]),
    )


def _fingerprint(images: str, *, lossless: bool, exif: bool) -> str:
    """Name the pictures: the images, and what else decides pixels that no digest of a file shows.

    The seed is a run's, and decides nothing about a clean picture.
    """
    for differs, how in ((lossless, "lossless"), (exif, "exif")):
        if differs:
            images = hashlib.sha256(f"{how} {images}".encode()).hexdigest()
    return images
