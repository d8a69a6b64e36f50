"""The editions of the published sets: how a source image is prepared, and which table it uses.

The facts are those of the authors' generators. A prepared image is what a corruption sees;
`jpeg` is the quality at which the published set stores the result. Neither `corrupt` nor a
condition writes a JPEG; a build does.

A perturbation moves the picture before the last crop is taken, so that what comes in at an edge is
the picture's own. `wide` prepares for that: all but the crop, and the crop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PIL import Image

from brittle.errors import ImageError, SpecError
from brittle.families import hint
from brittle.types import Crop, Pixels, whole

LARGEST = 1 << 28
"""Pixels of a picture on its way to an edition's size."""


class Wide(NamedTuple):
    """A picture prepared but for the last crop, and that crop."""

    pixels: Pixels
    crop: Crop


@dataclass(frozen=True)
class Edition:
    """A published size: preparation of a source image, severity table, storage."""

    name: str
    table: str
    side: int | None
    jpeg: int | None
    about: str
    steps: Callable[[Image.Image], Image.Image] | None = None
    margin: Callable[[Image.Image], Image.Image] | None = None
    """The preparation without its last crop, where a perturbation has one to take."""
    film: bool = False
    """Whether its sequences are published as H.264 films."""

    def prepare(self, image: Pixels) -> Pixels:
        """Bring a decoded source image (H x W x 1 or 3 uint8) to this edition's size.

        An image of an edition without preparation is returned as it is; one that is then not of
        the edition's side is refused, since resizing it would change the benchmark.
        """
        if self.steps is not None:
            image = self._stepped(image, self.steps)
        if self.side is not None and image.shape[:2] != (self.side, self.side):
            raise ImageError(
                f"{self.name} takes pictures of {self.side}x{self.side} as they are; got "
                f"{image.shape[1]}x{image.shape[0]}. Use --edition any for other sizes."
            )
        return np.ascontiguousarray(image)

    def wide(self, image: Pixels) -> Wide:
        """Prepare a source image for a perturbation: with the margin that the last crop takes off.

        Without such a margin it is the prepared image, and the crop is all of it.
        """
        if self.margin is None or self.side is None:
            prepared = self.prepare(image)
            return Wide(prepared, whole(prepared))
        pixels = np.ascontiguousarray(self._stepped(image, self.margin))
        left, top = _centred((pixels.shape[1], pixels.shape[0]), self.side)
        return Wide(pixels, Crop(top, left, self.side, self.side))

    def _stepped(self, image: Pixels, steps: Callable[[Image.Image], Image.Image]) -> Pixels:
        if not isinstance(image, np.ndarray):
            raise ImageError(
                f"{self.name} prepares uint8 arrays; got a {type(image).__name__}. Use "
                f'numpy.asarray(image.convert("RGB")).'
            )
        if image.ndim != 3 or image.shape[2] not in (1, 3) or image.dtype != np.uint8:
            raise ImageError(
                f"{self.name} prepares H x W x 1 or H x W x 3 uint8 pictures; "
                f"got {image.dtype} of shape {image.shape}."
            )
        grey = image.shape[2] == 1
        done = np.asarray(steps(Image.fromarray(image[:, :, 0] if grey else image)))
        return done[:, :, None] if grey else done


def get(name: str) -> Edition:
    """Return the edition of that name; an unknown name is a `SpecError` with the nearest ones."""
    if name not in EDITIONS:
        raise SpecError(hint(name, EDITIONS, "edition"))
    return EDITIONS[name]


def _bilinear(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Resize across, then down: later versions of Pillow choose the order, and so the rounding."""
    if size[0] * max(size[1], image.height) > LARGEST:
        raise ImageError(
            f"A picture of {image.width}x{image.height} is too long and thin to be prepared: it "
            f"would be {size[0]}x{size[1]} before the crop. Cut it first."
        )
    across = image.resize((size[0], image.height), Image.Resampling.BILINEAR)
    return across.resize(size, Image.Resampling.BILINEAR)


def _shorter_side(image: Image.Image, side: int) -> Image.Image:
    width, height = image.size
    short = min(width, height)
    return _bilinear(image, (int(side * width / short), int(side * height / short)))


def _centred(size: tuple[int, int], side: int) -> tuple[int, int]:
    return round((size[0] - side) / 2), round((size[1] - side) / 2)


def _to_256(image: Image.Image) -> Image.Image:
    return _shorter_side(image, 256)


def _to_64(image: Image.Image) -> Image.Image:
    return _shorter_side(image, 64)


def _resize_and_crop(image: Image.Image) -> Image.Image:
    resized = _to_256(image)
    left, top = _centred(resized.size, 224)
    return resized.crop((left, top, left + 224, top + 224))


def _central_crop(image: Image.Image) -> Image.Image:
    width, height = image.size
    across, down = int(width * 0.875), int(height * 0.875)
    left, top = round((width - across) / 2), round((height - down) / 2)
    cropped = image.crop((left, top, left + max(across, 1), top + max(down, 1)))
    return _bilinear(cropped, (299, 299))


def _squeeze(image: Image.Image) -> Image.Image:
    return _bilinear(image, (64, 64))


EDITIONS = {
    edition.name: edition
    for edition in (
        Edition(
            "imagenet-224",
            "imagenet-224",
            224,
            85,
            "ImageNet-C: shorter side to 256 (bilinear), centre crop 224, JPEG quality 85",
            _resize_and_crop,
            margin=_to_256,
            film=True,
        ),
        Edition(
            "inception-299",
            "inception-299",
            299,
            85,
            "ImageNet-C for Inception: centre crop of 87.5 % a side, resized to 299x299, JPEG 85",
            _central_crop,
            film=True,
        ),
        Edition(
            "imagenet-64",
            "imagenet-64",
            64,
            85,
            "ImageNet-64x64-C: resized to exactly 64x64, JPEG quality 85",
            _squeeze,
            film=True,
        ),
        Edition(
            "tiny-imagenet-64",
            "imagenet-64",
            64,
            85,
            "Tiny ImageNet-C: 64x64 pictures of 200 classes, JPEG quality 85",
            _squeeze,
            margin=_to_64,
            film=True,
        ),
        Edition(
            "cifar-32",
            "cifar-32",
            32,
            None,
            "CIFAR-10-C and CIFAR-100-C: 32x32 arrays as they are, stored losslessly",
        ),
        Edition(
            "any",
            "imagenet-224",
            None,
            None,
            "Your own pictures at their own size with the table of 224, nothing scaled: "
            "pixel distances mean less on a larger picture; stored losslessly",
        ),
    )
}
