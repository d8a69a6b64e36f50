"""Every detector, found by file, meets the contract of its family."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brittle.detectors import DETECTORS, Outputs, fit
from brittle.errors import MissingExtraError, ScoreError, SpecError
from brittle.rows import fields
from brittle.separation import Groups, measure
from tests.detectors.examples import example
from tests.helpers.parts import module

NAMES = DETECTORS.names()
BOTH = [(name, task) for name in NAMES for task in DETECTORS.load(name).tasks]
FITTED = [name for name in NAMES if DETECTORS.load(name).fit]
# Enough neighbours for the example.
SPECS = {"knn": "knn(neighbours=5)"}


def ready(name, task="single", seed=0):
    made = example(task)
    return fit(SPECS.get(name, name), made.known, made.labels, seed=seed), made


def first_task(name):
    return DETECTORS.load(name).tasks[0]


def test_the_detectors_are_there():
    assert set(NAMES) >= {
        "msp", "max_logit", "kl_matching", "energy", "entropy", "logit_avg", "isolation_forest",
        "lof", "typicality", "non_typicality", "mc_dropout", "mahalanobis", "knn",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name):
    part = DETECTORS.load(name)
    assert part.about == module(DETECTORS, name).__doc__
    assert part.title
    assert part.formula
    assert any(character.isdigit() for character in part.citation)
    assert "itted on" in part.about
    assert (part.fitted_on == "nothing") == (part.fit is None)
    assert ("with labels" in part.fitted_on) == part.labels
    assert set(fields(part.row)) == set(part.row._field_defaults)
    assert part.needs
    assert part.tasks


def test_titles_are_told_apart():
    assert len({DETECTORS.load(name).title for name in NAMES}) == len(NAMES)
    made = example()
    assert fit("lof(neighbours=5)", made.known).title == "LOF (neighbours=5)"


@pytest.mark.parametrize(("name", "task"), BOTH)
def test_a_finite_score_an_image_and_strange_ones_score_higher(name, task):
    detector, made = ready(name, task)
    usual, strange = detector.score(made.known), detector.score(made.strange)
    for scores, outputs in ((usual, made.known), (strange, made.strange)):
        assert scores.shape == (len(outputs),)
        assert scores.dtype == np.float64
        assert np.isfinite(scores).all()
    assert measure(Groups(strange, usual).curve, "auroc")[0] > 0.7


@pytest.mark.parametrize(("name", "task"), BOTH)
def test_a_score_is_of_its_image_alone(name, task, monkeypatch):
    """Not of the order, nor of the batch, nor of the block that it is worked on in."""
    detector, made = ready(name, task)
    whole = detector.score(made.strange)
    order = np.random.default_rng(1).permutation(len(made.strange))
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(detector.score(made.strange.rows(order)), whole[order], **close)
    alone = [detector.score(made.strange.rows(slice(at, at + 1)))[0] for at in range(7)]
    np.testing.assert_allclose(alone, whole[:7], **close)
    monkeypatch.setattr("brittle.detectors.base._BLOCK", 200)
    assert sum(1 for _ in made.strange.blocks()) > 5
    np.testing.assert_allclose(detector.score(made.strange), whole, **close)
    again = fit(detector.spec, made.known, made.labels)
    np.testing.assert_allclose(again.score(made.strange), whole, **close)


# The trees of an isolation forest draw images by their places.
@pytest.mark.parametrize("name", [name for name in FITTED if name != "isolation_forest"])
def test_the_order_of_what_it_is_fitted_on_does_not_matter(name):
    detector, made = ready(name, first_task(name))
    order = np.random.default_rng(1).permutation(len(made.known))
    other = fit(detector.spec, made.known.rows(order), made.labels[order])
    np.testing.assert_allclose(
        other.score(made.strange), detector.score(made.strange), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_scores(name):
    task = first_task(name)
    one, two = (ready(name, task)[0].score(example(task).strange) for _ in range(2))
    assert np.array_equal(one, two)


def test_another_seed_grows_other_trees():
    one, two = (ready("isolation_forest", seed=s)[0].score(example().strange) for s in (0, 1))
    assert not np.array_equal(one, two)


@pytest.mark.parametrize("name", NAMES)
def test_the_input_is_not_changed(name):
    made = example(first_task(name))
    arrays = [
        getattr(outputs, kind)
        for outputs in (made.known, made.strange)
        for kind in ("logits", "features", "samples")
    ]
    kept = [array.copy() for array in (*arrays, made.labels)]
    fit(SPECS.get(name, name), made.known, made.labels).score(made.strange)
    for array, before in zip((*arrays, made.labels), kept, strict=True):
        assert np.array_equal(array, before)


@pytest.mark.parametrize("name", NAMES)
def test_no_image_no_score(name):
    detector, made = ready(name, first_task(name))
    assert detector.score(made.strange.rows(slice(0))).shape == (0,)


@pytest.mark.parametrize("name", FITTED)
def test_a_fitted_one_must_be_fitted(name):
    part = DETECTORS.load(name)
    with pytest.raises(ScoreError, match=f"{part.title} is fitted on {part.fitted_on}; give"):
        fit(name)
    made = example(part.tasks[0])
    with pytest.raises(ScoreError, match="cannot be fitted on no images at all"):
        fit(name, made.known.rows(slice(0)), made.labels[:0])


@pytest.mark.parametrize("name", [name for name in NAMES if DETECTORS.load(name).labels])
def test_labels_are_asked_for(name):
    made = example()
    with pytest.raises(ScoreError, match=r"is fitted with labels: 300 whole numbers.*got none"):
        fit(name, made.known)
    with pytest.raises(ScoreError, match=r"fitted with labels.*got int64 of the shape \(299,\)"):
        fit(name, made.known, made.labels[1:])


@pytest.mark.parametrize("name", NAMES)
def test_what_it_needs_it_asks_for_and_nothing_else(name):
    part = DETECTORS.load(name)
    made = example(part.tasks[0])
    for need in ("features", "samples"):
        less = replace(made.known, **{need: None}), replace(made.strange, **{need: None})
        if need in part.needs:
            with pytest.raises(ScoreError, match=f"needs {need} .*which these outputs do not have"):
                fit(SPECS.get(name, name), less[0], made.labels).score(less[1])
        else:
            found = fit(SPECS.get(name, name), less[0], made.labels).score(less[1])
            assert np.array_equal(found, ready(name, part.tasks[0])[0].score(made.strange))


@pytest.mark.parametrize("name", NAMES)
def test_it_reads_what_it_says_it_needs(name):
    """Other numbers in a kind of outputs that it names change the scores; in one that it does not,
    nothing."""
    part = DETECTORS.load(name)
    detector, made = ready(name, part.tasks[0])
    before = detector.score(made.strange)
    rng = np.random.default_rng(3)
    for kind in ("logits", "features", "samples"):
        values = getattr(made.strange, kind)
        other = replace(made.strange, **{kind: values + rng.normal(0, 1, values.shape)})
        assert np.array_equal(detector.score(other), before) == (kind not in part.needs), kind


@pytest.mark.parametrize("name", [n for n in NAMES if len(DETECTORS.load(n).tasks) == 1])
def test_a_model_of_the_other_kind_is_refused(name):
    (task,) = DETECTORS.load(name).tasks
    made = example("multi" if task == "single" else "single")
    with pytest.raises(ScoreError, match="is for models with a s"):
        fit(SPECS.get(name, name), made.known, made.labels).score(made.strange)


@pytest.mark.parametrize("name", FITTED)
def test_outputs_of_another_model_are_refused(name):
    detector, made = ready(name, first_task(name))
    fewer = replace(
        made.strange,
        logits=made.strange.logits[:, 1:],
        features=made.strange.features[:, 1:],
        samples=None,
    )
    with pytest.raises(ScoreError, match=r"was fitted on a \w+-label model of 6 classes.*of 5 cl"):
        detector.score(fewer)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_imports_no_other_part(name):
    for node in ast.walk(ast.parse(Path(module(DETECTORS, name).__file__).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.module not in {f"brittle.detectors.{other}" for other in NAMES}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"logits": [[0.0, np.nan]]}, "logits hold NaN or infinity"),
        ({"logits": [0.0, 1.0]}, r"logits must be images x classes.*float64 of the shape \(2,\)"),
        ({"logits": [["a"]]}, "logits must be images x classes, in numbers"),
        ({"logits": [[0.0]], "features": [[1.0], [2.0]]}, "logits of 1 images, but features of 2"),
        ({"logits": [[0.0]], "samples": [[1.0]]}, "samples must be passes x images x classes"),
        ({"logits": [[0.0]], "task": "many"}, "task must be single .* or multi .*got 'many'"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(made, said):
    with pytest.raises(ScoreError, match=said):
        Outputs(**made)


def test_unknown_names_and_parameters_are_refused():
    with pytest.raises(SpecError, match=r"no detector 'maxlogit'. Did you mean max_logit"):
        fit("maxlogit")
    with pytest.raises(SpecError, match="to must be one of nearest, predicted; got 'best'"):
        fit("kl_matching(to=best)")


@pytest.mark.parametrize("name", ["isolation_forest", "lof"])
def test_a_missing_library_is_named_with_its_command(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    monkeypatch.setitem(sys.modules, "sklearn.neighbors", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[detectors\]'"):
        fit(name, example().known)


def test_only_those_that_need_scikit_learn_import_it():
    code = (
        "import sys\nfrom brittle.detectors import DETECTORS\n"
        "for name in DETECTORS.names(): DETECTORS.load(name)\nprint('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
