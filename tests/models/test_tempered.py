"""A temperature changes how sure a model is, and nothing else."""

import numpy as np
import pytest

from brittle.errors import SpecError
from brittle.models import Settings, open_model, tempered
from tests.helpers import runs
from tests.models.examples import pictures
from tests.sections.runs import labelled, network

GRID = """\
about = "One corruption."
edition = "imagenet-64"
corruptions = ["contrast"]
severities = [1]
scores = ["mean_corruption_error", "clean_error"]
"""


def model():
    return open_model("linear:random(classes=3, size=64)", Settings(classes=runs.CLASSES))


def test_the_logits_are_divided():
    plain, warm = model(), tempered(model(), 2.5)
    batch = pictures(5, 64)
    np.testing.assert_allclose(warm.predict(batch).logits, plain.predict(batch).logits / 2.5)
    assert warm.digest != plain.digest
    assert warm.digest == tempered(model(), 2.5).digest
    assert warm.facts["temperature"] == 2.5


def test_a_fitted_one_does_what_the_fit_says(tmp_path):
    """The other half of the pictures, through the wrapped model, is as sure as was promised."""
    source = labelled(tmp_path / "pictures", 300)
    suite = runs.suite(tmp_path, text=GRID)
    # Five of six are right, and it is as good as sure of all.
    sure = open_model(lambda batch: 9 * network()(batch), Settings(classes=runs.CLASSES))
    plain = runs.measured(source, tmp_path / "plain", suite, model=sure, keep=("logits",))
    fitted = plain.calibrate(["ece", "nll"], temperature=True, replicates=0).scaled
    scaled = tempered(sure, fitted.temperature.value)
    warm = runs.measured(source, tmp_path / "warm", suite, model=scaled, keep=("logits",))
    assert runs.ranks(plain) == runs.ranks(warm)
    again = warm.calibrate(["ece", "nll"], temperature=True, replicates=0).scaled
    for name, number in fitted.after.items():
        assert again.before[name].value == pytest.approx(number.value, rel=1e-4)
    assert again.temperature.value == pytest.approx(1, abs=1e-3)
    assert fitted.temperature.value > 1.5


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_what_is_no_temperature_is_refused(value):
    with pytest.raises(SpecError, match="A temperature is a number above 0"):
        tempered(model(), value)


def test_a_model_without_confidence_is_refused():
    def first(batch):
        return np.zeros(len(batch))

    chosen = open_model(first, Settings(classes=runs.CLASSES))
    chosen.gives = "classes"
    with pytest.raises(SpecError, match="there is nothing to scale"):
        tempered(chosen, 2)
