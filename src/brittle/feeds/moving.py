"""Sequences made in memory: a picture is decoded once, and every perturbation moves it.

The published ImageNet editions are films, whose codec changes the frames. Encoding costs more than
a network does, so frames skip it unless asked for; then they are what a build on disk would give.
"""

import hashlib
from collections.abc import Iterator, Sequence

from brittle import films
from brittle._survey import Survey
from brittle.editions import Edition
from brittle.errors import BrittleError, ImageError, SourceError
from brittle.feeds.base import Feed
from brittle.sequences import FrameSequence, sequence
from brittle.sources import Item, Source
from brittle.types import Pixels


def moving(
    source: Source,
    seen: Survey,
    edition: Edition,
    made: Sequence[FrameSequence],
    *,
    seed: int,
    codec: bool = False,
) -> Feed:
    """Return the feed of the frames that perturbations make of a surveyed source.

    With `codec`, the frames of an edition that is published as films are encoded and decoded.
    """
    films.check_codec(edition, codec=codec)

    def named(name: str) -> FrameSequence:
        return sequence(name, edition=edition.name)

    def give(item: Item, digest: str, names: Sequence[str]) -> Iterator[Pixels]:
        data = source.read(item)
        if hashlib.sha256(data).hexdigest() != digest:
            raise SourceError(
                f"{item.name} has changed since the run began; restore it, or begin another run."
            )
        pixels = source.decode(item, data)
        for name in names:
            asked = named(name)
            try:
                frames = asked.frames(pixels, seed=seed, key=item.key)
                yield from films.through(frames, grain=asked.grain) if codec else frames
            except BrittleError as error:
                raise ImageError(f"{name} of {item.key}: {error}") from error

    versions: dict[str, int] = {}
    for one in made:
        versions |= one.versions
    skipped = edition.film and not codec
    return Feed(
        edition=edition,
        pixels="generated",
        items=seen.items,
        digests=seen.digests,
        conditions=tuple(str(one) for one in made),
        versions=versions,
        fingerprint=_fingerprint(seen.fingerprint, codec=codec, exif=source.upright),
        give=give,
        facts={
            "source": source.kind,
            "source_fingerprint": seen.fingerprint,
            "skipped": list(seen.skipped),
            "codec": films.CODEC if codec else None,
            "codec_skipped": skipped,
            "exif": source.upright,
        },
        largest=max(seen.sizes, key=lambda size: size[0] * size[1]),
        references={str(one): one.reference for one in made},
        frames=lambda _, name: named(name).count,
    )


def _fingerprint(images: str, *, codec: bool, exif: bool) -> str:
    """Name the frames: the images, and what else decides pixels that no digest of a file shows."""
    for differs, how in ((True, "frames"), (codec, films.CODEC), (exif, "exif")):
        if differs:
            images = hashlib.sha256(f"{how} {images}".encode()).hexdigest()
    return images
