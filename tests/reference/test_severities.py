"""Every number of the severity tables equals the generators'."""

import json

import pytest

from brittle import editions, suites
from brittle.corruptions import CORRUPTIONS
from tests.helpers.shared import needs_shared, shared

pytestmark = [pytest.mark.data, needs_shared]


@pytest.mark.parametrize("name", suites.get("imagenet-c-all").corruptions)
def test_tables_equal_the_recorded_ones(name):
    recorded = json.loads(shared("reference", "severities.json").read_text())
    part = CORRUPTIONS.load(name)
    for edition, tables in recorded.items():
        rows = part.tables[editions.get(edition).table]
        for row, wanted in zip(rows, tables[name], strict=True):
            values = list(row.zooms) if name == "zoom_blur" else list(row)
            if name == "frost":
                scale = {"imagenet-64": 0.3, "tiny-imagenet-64": 0.3, "cifar-32": 0.2}
                assert values[2:] == [scale.get(edition, 1.0), "photographs"]
                values = values[:2]
            assert values == (wanted if isinstance(wanted, list) else [wanted])
