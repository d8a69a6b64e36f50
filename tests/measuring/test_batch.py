import numpy as np
import pytest

from brittle.errors import OutOfMemoryError
from brittle.measuring import batch
from brittle.models import Settings, open_model

PICTURE = np.zeros((4, 4, 3), np.uint8)
MODEL = open_model(lambda pictures: np.zeros((len(pictures), 2), np.float32), Settings())


@pytest.fixture
def clock(monkeypatch):
    """Let a model take a known time for N pictures, and have room for so many."""

    def use(seconds, room=1 << 30):
        def timed(model, pictures):
            assert model is MODEL
            if len(pictures) > room:
                raise OutOfMemoryError("full")
            return seconds(len(pictures))

        monkeypatch.setattr(batch, "_timed", timed)

    return use


def test_a_larger_batch_is_taken_only_where_it_is_faster(clock) -> None:
    clock(lambda n: 0.002 * n)
    assert batch.find(MODEL, PICTURE) == batch.SIZES[0]
    clock(lambda n: 0.05 + 0.001 * n)
    assert batch.find(MODEL, PICTURE) > 64
    clock(lambda _: 0.05)
    assert batch.find(MODEL, PICTURE) == batch.SIZES[-1]


def test_it_stays_within_the_room(clock) -> None:
    clock(lambda _: 0.01, room=20)
    assert batch.find(MODEL, PICTURE) == 16
    clock(lambda _: 0.01, room=3)
    assert batch.find(MODEL, PICTURE) == 1


def test_it_really_runs_the_model() -> None:
    assert batch.find(MODEL, PICTURE) in batch.SIZES
