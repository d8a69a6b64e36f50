import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from brittle.codec import decode_jpeg, encode_jpeg
from brittle.errors import ImageError

RNG = np.random.default_rng(0)


def pillow(pixels, quality, optimize):
    buffer = io.BytesIO()
    picture = Image.fromarray(pixels if pixels.shape[2] == 3 else pixels[:, :, 0])
    picture.save(buffer, "JPEG", quality=quality, optimize=optimize)
    return buffer.getvalue()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 70),
    st.integers(1, 70),
    st.sampled_from([1, 3]),
    st.integers(1, 100),
    st.booleans(),
)
def test_bytes_and_pixels_equal_pillows(height, width, channels, quality, optimize):
    shape = (height, width, channels)
    pixels = (np.cumsum(RNG.integers(-9, 10, shape), axis=1) + 128).astype(np.uint8)
    data = encode_jpeg(pixels, quality, optimize=optimize)
    assert data == pillow(pixels, quality, optimize)
    assert np.array_equal(
        decode_jpeg(data, channels).squeeze(), np.asarray(Image.open(io.BytesIO(data))).squeeze()
    )


def test_what_is_no_jpeg_is_refused():
    with pytest.raises(ImageError, match="not a JPEG file that decodes"):
        decode_jpeg(b"no")
