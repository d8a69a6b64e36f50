"""Perturbing pictures from Python: the frames of one picture, all at once or one by one."""

from collections.abc import Iterator

import numpy as np
from PIL import Image

from brittle import seeds
from brittle._pictures import take
from brittle.errors import ImageError, SpecError
from brittle.sequences import FrameSequence, sequence
from brittle.spec import Spec
from brittle.types import Pixels, UInt8


def perturb(
    image: UInt8 | Image.Image,
    spec: str | Spec,
    *,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
    prepare: bool = True,
) -> UInt8:
    """Return the frames of one perturbed picture, a uint8 array [frames, H, W, C].

    `image` is a uint8 array H x W, H x W x 1 or H x W x 3, or a PIL image of mode L or RGB; it is
    never changed, and an array comes back for either (C = 1 for grey). `spec` is a perturbation,
    `tilt`, with a strength, `gaussian_noise(strength=3)`, or with parameters of its own in place
    of the edition's, `tilt(step=0.5)`.

    `edition` chooses the numbers and, other than in `corrupt`, prepares the picture: the crop is
    the last step of every frame, so that what moves in from the margin is the picture's own. With
    `any` the whole picture is the frame, and black moves in. `prepare=False` takes a picture that
    has the edition's size already as it is.

    What is random depends on `seed`, the spec and `key`, the picture's name; without a key its
    pixels are the name.

    >>> import numpy as np
    >>> picture = np.full((300, 400, 3), 128, np.uint8)
    >>> perturb(picture, "tilt", edition="imagenet-224").shape
    (31, 224, 224, 3)
    >>> perturb(picture, "tilt(frames=5)").shape
    (5, 300, 400, 3)
    """
    asked = _sequence(spec, edition)
    made = frames_of(asked, image, seed=seed, key=key, prepare=prepare)
    first = next(made)
    out = np.empty((asked.count, *first.shape), np.uint8)
    out[0] = first
    for number, frame in enumerate(made, 1):
        out[number] = frame
    return out


def perturb_frames(
    image: UInt8 | Image.Image,
    spec: str | Spec,
    *,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
    prepare: bool = True,
) -> Iterator[Pixels]:
    """Yield what `perturb` returns frame by frame, each H x W x C, holding one at a time.

    What is wrong with the arguments is said at once, and not at the first frame.

    >>> import numpy as np
    >>> sum(frame.size for frame in perturb_frames(np.zeros((9, 9, 3), np.uint8), "translate"))
    9963
    """
    return frames_of(_sequence(spec, edition), image, seed=seed, key=key, prepare=prepare)


def frames_of(
    asked: FrameSequence, image: UInt8 | Image.Image, *, seed: int, key: str | None, prepare: bool
) -> Iterator[Pixels]:
    """Yield the frames of a sequence; see `perturb`."""
    parts = take(image)
    if parts.whole.ndim == 3 and parts.whole.shape[2] == 4:
        raise ImageError(
            "The picture has alpha, which frames cannot keep where the picture moves; leave it "
            'out: image[:, :, :3] of an array, image.convert("RGB") of a PIL image.'
        )
    if key is None:
        key = seeds.content_key(parts.pixels)
    elif not isinstance(key, str):
        raise SpecError(f"A key is a text that names the picture; got {key!r}. Use str(key).")
    seed = int(seed) if isinstance(seed, np.integer) else seed
    return asked.frames(parts.pixels, seed=seed, key=key, prepare=prepare)


def _sequence(spec: str | Spec, edition: str) -> FrameSequence:
    if not isinstance(spec, (str, Spec)):
        raise SpecError(
            f"A perturbation is named by a text such as 'tilt' or 'gaussian_noise(strength=3)' or "
            f"a Spec; got {spec!r}."
        )
    return sequence(str(spec), edition=edition)
