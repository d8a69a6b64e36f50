import numpy as np
import pytest

from brittle import seeds
from brittle.errors import SpecError


def test_streams_are_those_of_the_release():
    assert seeds.stream(0, "fog(severity=3)", "n01440764/x") == 0x58A008F1554A6966


def test_each_argument_matters_and_none_runs_into_the_next():
    made = {
        seeds.stream(seed, spec, key)
        for seed, spec, key in [
            (0, "a", "b"),
            (1, "a", "b"),
            (-1, "a", "b"),
            (0, "ab", ""),
            (0, "", "ab"),
            (0, "a", "c"),
            (10**30, "a", "b"),
            (0, "a", "\udcff"),
            (0, "a", "é"),
        ]
    }
    assert len(made) == 9
    assert all(0 <= value < 2**64 for value in made)


@pytest.mark.parametrize("seed", [1.0, "1", None, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(SpecError, match="seed must be a whole number"):
        seeds.stream(seed, "a", "b")


def test_content_keys_follow_the_pixels_and_the_shape():
    image = np.arange(24, dtype=np.uint8)
    key = seeds.content_key(image.reshape(2, 4, 3))
    assert key == seeds.content_key(image.reshape(2, 4, 3)[::-1][::-1])
    assert key != seeds.content_key(image.reshape(4, 2, 3))
    assert key != seeds.content_key(image[::-1].reshape(2, 4, 3))
