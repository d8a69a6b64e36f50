"""The authors' picture in, the authors' frames out: nine perturbations that draw nothing."""

import json

import numpy as np
import pytest

from brittle import editions
from brittle.perturbations import PERTURBATIONS
from brittle.types import Crop
from tests.helpers.shared import needs_shared, shared

pytestmark = [pytest.mark.data, needs_shared]

DRAWN = {"gaussian_noise", "shot_noise", "speckle_noise", "snow", "spatter"}
NAMES = [name for name in PERTURBATIONS.names() if name not in DRAWN]
JSON = {"opacity": "strength"}
"""Fields of a row that the recorded numbers call otherwise."""
FIXED = {"mean": 0.05, "threshold": 0.5, "keep": 0.85, "start": -150, "step": 4}
"""What the recorded text says of snow, and the numbers leave out."""


@pytest.fixture(scope="module")
def golden():
    with np.load(shared("reference", "golden_p.npz"), allow_pickle=False) as data:
        yield {key: data[key] for key in data.files}


@pytest.mark.parametrize("name", NAMES)
def test_equal_to_the_reference(golden, name):
    source = golden["source"]
    height, width, _ = source.shape
    crop = Crop(round((height - 224) / 2), round((width - 224) / 2), 224, 224)
    part = PERTURBATIONS.load(name)
    made = list(part(source, part.make(name, {}, "imagenet-224"), 0, crop))
    recorded = {key: golden[key] for key in golden if key.startswith(f"{name}/")}
    assert len(recorded) == 5
    for key, frame in recorded.items():
        assert np.array_equal(made[int(key.split("/")[1])], frame), key


def test_every_recorded_frame_is_tested(golden):
    assert {key.split("/")[0] for key in golden} == {*NAMES, "source"}


@pytest.mark.parametrize("name", PERTURBATIONS.names())
def test_tables_equal_the_recorded_ones(name):
    recorded = json.loads(shared("reference", "imagenet_p.json").read_text())
    part = PERTURBATIONS.load(name)
    assert set(recorded) == {e for e in editions.EDITIONS if e != "any"}
    for edition, numbers in recorded.items():
        used = editions.get(edition)
        assert used.side == numbers["side"]
        rows, wanted = part.tables[used.table], numbers[name]
        if isinstance(wanted, list):
            assert [row[0] for row in rows] == wanted
            assert {row.frames for row in rows} == {31}
            continue
        (row,) = rows
        found = {JSON.get(key, key): value for key, value in row._asdict().items()}
        expected = {key: value for key, value in wanted.items() if key != "note"}
        assert ("note" in wanted) == (used.table in part.unprepared and name == "motion_blur")
        if name in ("rotate", "shear"):
            expected["step"] = 1
        if name == "snow":
            expected.update(FIXED)
        if "run" in expected:
            expected["run"] = tuple(expected["run"])
        assert found == expected, edition
