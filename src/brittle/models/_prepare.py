"""How a picture is brought to a model's size, and its pixels to the numbers that a network takes.

The one place of the package that does so, for every kind of model. Resizing is Pillow's, with its
antialiasing, as torchvision, timm and transformers do to a picture that was read from a file; the
rounding of sizes and offsets is theirs too, so that the pixels are the same to the last one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from brittle.errors import ImageError, SpecError
from brittle.families import hint
from brittle.types import Pixels

LARGEST = 1 << 28
"""Pixels of a picture on its way to a model's size."""

INTERPOLATIONS = {
    "nearest": Image.Resampling.NEAREST,
    "box": Image.Resampling.BOX,
    "bilinear": Image.Resampling.BILINEAR,
    "hamming": Image.Resampling.HAMMING,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}

MODES = ("center", "squash", "border")

PREPARE_PARAMS: Mapping[str, type | tuple[type, ...]] = {
    "size": (int, tuple),
    "resize": int,
    "crop_pct": float,
    "crop_mode": str,
    "interpolation": str,
}
"""Parameters of a spec that say how a picture is prepared."""

NORMAL_PARAMS: Mapping[str, type | tuple[type, ...]] = {
    "mean": (tuple, float),
    "std": (tuple, float),
    "scale": float,
}
"""Parameters of a spec that say which numbers the network gets."""


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """Resize a picture, then cut out (or pad) its centre."""

    size: tuple[int, int]
    """Height and width of what comes out."""
    box: tuple[int, int] | None
    """Height and width that the picture is resized to fill, to be, or to fit; None: no resizing."""
    mode: str = "center"
    """`center`: the box is filled; `squash`: it is taken exactly; `border`: it is fitted."""
    interpolation: str = "bilinear"
    fill: tuple[int, int, int] = (0, 0, 0)
    """Colour of what is padded."""
    halves: str = "even"
    """Where half a pixel of the crop's offset goes: to `even` numbers, or `down`."""

    def __call__(self, image: Pixels) -> Pixels:
        """Prepare H x W x 3 uint8; a picture that has the size is returned as it is."""
        check_picture(image)
        if image.shape[:2] == self.size:
            return image
        found = Image.fromarray(np.ascontiguousarray(image))
        if self.box is not None:
            height, width = self._target(image.shape[0], image.shape[1], self.box)
            if (height, width) != image.shape[:2]:
                found = found.resize((width, height), INTERPOLATIONS[self.interpolation])
        return np.array(self._cut(found))

    def facts(self) -> dict[str, Any]:
        """Say it in words that fit JSON."""
        return {
            "size": list(self.size),
            "resize": None if self.box is None else list(self.box),
            "crop_mode": self.mode,
            "interpolation": self.interpolation,
        }

    def _target(self, height: int, width: int, box: tuple[int, int]) -> tuple[int, int]:
        if self.mode == "squash":
            target = box
        elif self.mode == "center" and box[0] == box[1]:
            long = int(box[0] * max(height, width) / min(height, width))
            target = (long, box[0]) if width <= height else (box[0], long)
        else:
            ratios = (height / box[0], width / box[1])
            ratio = max(ratios) if self.mode == "border" else min(ratios)
            target = (max(1, round(height / ratio)), max(1, round(width / ratio)))
        # Pillow resizes across first, so that a picture of this many pixels stands between.
        if target[1] * max(target[0], height) > LARGEST:
            raise ImageError(
                f"A picture of {width}x{height} is too long and thin to be prepared: it would be "
                f"{target[1]}x{target[0]} before the crop. Cut it first."
            )
        return target

    def _cut(self, image: Image.Image) -> Image.Image:
        height, width = self.size
        if image.width < width or image.height < height:
            whole = (max(image.width, width), max(image.height, height))
            canvas = Image.new("RGB", whole, self.fill)
            canvas.paste(
                image, (self._pad(whole[0] - image.width), self._pad(whole[1] - image.height))
            )
            image = canvas
        if image.size == (width, height):
            return image
        left, top = self._half(image.width - width), self._half(image.height - height)
        return image.crop((left, top, left + width, top + height))

    def _pad(self, lack: int) -> int:
        # Torchvision puts an odd row below the picture, transformers above it.
        return (lack + 1) // 2 if self.halves == "down" else lack // 2

    def _half(self, excess: int) -> int:
        return excess // 2 if self.halves == "down" else round(excess / 2)


@dataclass(frozen=True, kw_only=True)
class Normal:
    """The numbers that a network gets of a pixel: (pixel / 255 * scale - mean) / std."""

    mean: tuple[float, ...]
    std: tuple[float, ...]
    scale: float = 1.0
    """What a pixel of 255 is before mean and deviation: 1, or 255 for networks that take bytes."""

    def facts(self) -> dict[str, Any]:
        """Say it in words that fit JSON."""
        said = {"mean": list(self.mean), "std": list(self.std)}
        return said if self.scale == 1 else {**said, "scale": self.scale}


def check_picture(image: Pixels) -> None:
    """Refuse what is not H x W x 3 uint8."""
    if not isinstance(image, np.ndarray):
        raise ImageError(
            f"A model prepares uint8 arrays; got a {type(image).__name__}. Use "
            f'numpy.asarray(image.convert("RGB")).'
        )
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ImageError(
            f"A model prepares H x W x 3 uint8 pictures; got {image.dtype} of shape {image.shape}."
        )


def preparation(params: Mapping[str, Any], *, where: str) -> Preparation | None:
    """Read `PREPARE_PARAMS`; None where no size is given, which means any size."""
    interpolation = params.get("interpolation", "bilinear")
    if interpolation not in INTERPOLATIONS:
        raise SpecError(f"{where}: {hint(interpolation, INTERPOLATIONS, 'interpolation')}")
    mode = params.get("crop_mode", "center")
    if mode not in MODES:
        raise SpecError(f"{where}: {hint(mode, MODES, 'crop_mode')}")
    if "size" not in params:
        if lost := sorted({"resize", "crop_pct"} & params.keys()):
            raise SpecError(f"{where}: {lost[0]} needs a size to crop to; give size=224 or so.")
        return None
    size = _size(params["size"], where)
    if "resize" in params and "crop_pct" in params:
        raise SpecError(f"{where}: give resize or crop_pct, which say the same; not both.")
    if "resize" in params:
        side = params["resize"]
        if side < 1:
            raise SpecError(f"{where}: resize must be at least 1; got {side}.")
        box = (side, side)
    else:
        share = params.get("crop_pct", 1.0)
        if not 0 < share <= 1:
            raise SpecError(f"{where}: crop_pct must be above 0 and at most 1; got {share}.")
        box = (math.floor(size[0] / share), math.floor(size[1] / share))
    return Preparation(size=size, box=box, mode=mode, interpolation=interpolation)


def normal(params: Mapping[str, Any], *, where: str) -> Normal:
    """Read `NORMAL_PARAMS`; mean and std have no default, since a wrong one is never noticed."""
    if "mean" not in params or "std" not in params:
        raise SpecError(
            f"{where}: say how pixels become numbers, (pixel/255 - mean) / std: mean=[0.485, "
            f"0.456, 0.406] and std=[0.229, 0.224, 0.225] for most ImageNet networks, mean=0 and "
            f"std=1 where the network does it itself."
        )
    mean, std = (_channels(params[key], key, where) for key in ("mean", "std"))
    scale = float(params.get("scale", 1.0))
    if min(std) <= 0 or scale <= 0:
        raise SpecError(f"{where}: std and scale must be above 0; got {std} and {scale}.")
    return Normal(mean=mean, std=std, scale=scale)


def _size(given: Any, where: str) -> tuple[int, int]:
    sides = (given, given) if isinstance(given, int) else tuple(given)
    if len(sides) != 2 or not all(isinstance(s, int) and 1 <= s <= 1 << 14 for s in sides):
        raise SpecError(
            f"{where}: size must be a number of pixels or [height, width], at most 16384; "
            f"got {given}."
        )
    return sides[0], sides[1]


def _channels(given: Any, key: str, where: str) -> tuple[float, ...]:
    found = (float(given),) * 3 if isinstance(given, int | float) else tuple(map(float, given))
    if len(found) != 3 or not all(map(math.isfinite, found)):
        raise SpecError(f"{where}: {key} must be three numbers, red, green, blue; got {given}.")
    return found
