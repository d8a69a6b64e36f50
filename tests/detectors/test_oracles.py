"""Scores against SciPy, scikit-learn and sums written out."""

import numpy as np
import pytest
from scipy import special, stats
from sklearn.covariance import EmpiricalCovariance
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

from brittle import seeds
from brittle.detectors import Outputs, fit
from brittle.errors import ScoreError
from tests.detectors.examples import CLASSES, example

ONE, MANY = example("single"), example("multi")
Z = ONE.strange.logits.astype(np.float64)
P, S = special.softmax(Z, axis=1), special.expit(MANY.strange.logits.astype(np.float64))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("msp", -P.max(axis=1)),
        ("max_logit", -Z.max(axis=1)),
        ("logit_avg", -Z.mean(axis=1)),
        ("energy", -special.logsumexp(Z, axis=1)),
        ("energy(temperature=3)", -3 * special.logsumexp(Z / 3, axis=1)),
        ("entropy", stats.entropy(P, axis=1)),
        ("mc_dropout", special.softmax(ONE.strange.samples, axis=2).astype(float).var(0).mean(1)),
        ("mc_dropout(of=logits)", ONE.strange.samples.astype(float).var(0).mean(1)),
    ],
)
def test_closed_forms_of_a_softmax(spec, told):
    np.testing.assert_allclose(fit(spec).score(ONE.strange), told, rtol=2e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("msp", -S.max(axis=1)),
        ("max_logit", -MANY.strange.logits.max(axis=1)),
        ("energy", -np.log1p(np.exp(MANY.strange.logits.astype(float))).sum(axis=1)),
        (
            "energy(temperature=3)",
            -3 * np.log1p(np.exp(MANY.strange.logits.astype(float) / 3)).sum(axis=1),
        ),
        ("entropy", stats.bernoulli(S).entropy().sum(axis=1)),
        ("mc_dropout", special.expit(MANY.strange.samples.astype(float)).var(0).mean(1)),
    ],
)
def test_closed_forms_of_sigmoids(spec, told):
    np.testing.assert_allclose(fit(spec).score(MANY.strange), told, rtol=1e-10)


@pytest.mark.parametrize("to", ["nearest", "predicted"])
def test_kl_matching_written_out(to):
    rng = np.random.default_rng(0)
    known, asked = (Outputs(logits=rng.normal(0, 2, (n, CLASSES))) for n in (200, 50))
    usual, told = (special.softmax(outputs.logits, axis=1) for outputs in (known, asked))
    answer = usual.argmax(axis=1)
    templates = [usual[answer == c].mean(axis=0) for c in range(CLASSES)]
    away = np.array([[stats.entropy(p, d) for d in templates] for p in told])
    assert (away.argmin(axis=1) != told.argmax(axis=1)).any()
    own = away[np.arange(50), told.argmax(axis=1)]
    found = fit(f"kl_matching(to={to})", known).score(asked)
    np.testing.assert_allclose(found, away.min(axis=1) if to == "nearest" else own, rtol=1e-9)


def test_kl_matching_without_a_template_takes_the_nearest():
    known = Outputs(logits=np.array([[9.0, 0, 0], [8, 0, 0], [0, 9, 0]]))
    lost = Outputs(logits=np.array([[0.0, 1, 5]]))
    one, two = (fit(f"kl_matching(to={to})", known).score(lost) for to in ("nearest", "predicted"))
    assert one == two


def test_kl_matching_of_underflown_templates_is_finite():
    known = Outputs(logits=np.array([[5000.0, 0], [5000, 0]]))
    assert 600 < fit("kl_matching", known).score(Outputs(logits=np.array([[0.0, 50]])))[0] < 800


@pytest.mark.parametrize(("trees", "on"), [(100, "logits"), (20, "max_logit")])
def test_isolation_forest_is_that_of_scikit_learn(trees, on):
    known, strange = (
        x.logits.astype(float) if on == "logits" else x.logits.astype(float).max(1)[:, None]
        for x in (ONE.known, ONE.strange)
    )
    seed = seeds.stream(7, "isolation_forest", "") & 0xFFFFFFFF
    told = -IsolationForest(n_estimators=trees, random_state=seed).fit(known).score_samples(strange)
    found = fit(f"isolation_forest(trees={trees}, on={on})", ONE.known, seed=7)
    assert np.array_equal(found.score(ONE.strange), told)
    if trees == 100:
        assert np.array_equal(fit("isolation_forest", ONE.known, seed=7).score(ONE.strange), told)


@pytest.mark.parametrize(("neighbours", "on"), [(20, "logits"), (7, "max_logit")])
def test_lof_written_out(neighbours, on):
    """By the definition of Breunig et al., from a table of all distances."""
    known, strange = (
        x.logits.astype(float) if on == "logits" else x.logits.astype(float).max(1)[:, None]
        for x in (ONE.known, ONE.strange)
    )
    among = np.linalg.norm(known[:, None] - known[None], axis=2)
    np.fill_diagonal(among, np.inf)
    near = np.argsort(among, axis=1)[:, :neighbours]
    reach = np.sort(among, axis=1)[:, neighbours - 1]

    def density(distances, chosen):
        return 1 / np.maximum(np.take_along_axis(distances, chosen, 1), reach[chosen]).mean(axis=1)

    own = density(among, near)
    away = np.linalg.norm(strange[:, None] - known[None], axis=2)
    beside = np.argsort(away, axis=1)[:, :neighbours]
    told = own[beside].mean(axis=1) / density(away, beside)
    found = fit(f"lof(neighbours={neighbours}, on={on})", ONE.known).score(ONE.strange)
    np.testing.assert_allclose(found, told, rtol=1e-6)
    if neighbours == 20:
        oracle = LocalOutlierFactor(20, novelty=True).fit(known)
        assert np.array_equal(
            fit("lof", ONE.known).score(ONE.strange), -oracle.score_samples(strange)
        )


@pytest.mark.parametrize("extra", [0, 3])
def test_mahalanobis_is_that_of_scikit_learn(extra):
    """Also where some features say nothing new, so that the covariance has no inverse."""
    mix = np.random.default_rng(5).normal(size=(9, extra))
    known, strange = (
        np.hstack([x.features.astype(float), x.features.astype(float) @ mix])
        for x in (ONE.known, ONE.strange)
    )
    means = np.array([known[ONE.labels == c].mean(axis=0) for c in range(CLASSES)])
    oracle = EmpiricalCovariance(assume_centered=True).fit(known - means[ONE.labels])
    told = np.min([oracle.mahalanobis(strange - mean) for mean in means], axis=0)
    found = fit("mahalanobis", Outputs(logits=ONE.known.logits, features=known), ONE.labels).score(
        Outputs(logits=ONE.strange.logits, features=strange)
    )
    np.testing.assert_allclose(found, told, rtol=1e-6)


def test_mahalanobis_without_scatter_is_refused():
    outputs = Outputs(logits=np.zeros((3, 3)), features=np.eye(3))
    with pytest.raises(ScoreError, match="no scatter inside the classes: 3 images of 3 classes"):
        fit("mahalanobis", outputs, [0, 1, 2])


@pytest.mark.parametrize("neighbours", [1, 5, 120])
def test_knn_is_that_of_scikit_learn(neighbours, monkeypatch):
    monkeypatch.setattr("brittle.detectors.knn._BLOCK", 1000)
    known, strange = (
        x.features.astype(float) / np.linalg.norm(x.features.astype(float), axis=1)[:, None]
        for x in (ONE.known, ONE.strange)
    )
    told = NearestNeighbors(n_neighbors=neighbours).fit(known).kneighbors(strange)[0][:, -1]
    found = fit(f"knn(neighbours={neighbours})", ONE.known).score(ONE.strange)
    np.testing.assert_allclose(found, told, rtol=1e-9)


def test_knn_of_what_it_was_fitted_on_is_exactly_near():
    """The nearest is the image itself: at distance 0, not at the root of a rounding error."""
    assert fit("knn(neighbours=1)", ONE.known).score(ONE.known).max() == 0


@pytest.mark.parametrize(("spec", "count"), [("knn", 49), ("lof", 20), ("lof(neighbours=50)", 50)])
def test_too_few_to_have_neighbours(spec, count):
    with pytest.raises(ScoreError, match=f"got {count}. Give more, or ask for"):
        fit(spec, ONE.known.rows(slice(count)))


def test_lof_of_too_many_equal_outputs_is_refused():
    logits = np.vstack([np.zeros((30, 3)), np.random.default_rng(0).normal(size=(30, 3))])
    with pytest.raises(ScoreError, match="some images have more than 20 others with equal ones"):
        fit("lof", Outputs(logits=logits))
    outputs = Outputs(logits=logits)
    assert np.isfinite(fit("lof(neighbours=40)", outputs).score(outputs)).all()


def test_one_pass_has_no_variance():
    one = Outputs(logits=np.zeros((2, 3)), samples=np.zeros((1, 2, 3)))
    with pytest.raises(ScoreError, match="at least two stochastic passes; got 1"):
        fit("mc_dropout").score(one)


@pytest.mark.parametrize("name", ["typicality", "non_typicality"])
@pytest.mark.parametrize(("threshold", "distance"), [(0.5, "squared"), (0.2, "kl")])
def test_typicality_image_by_image(name, threshold, distance):
    """The description, in loops."""
    known = special.expit(MANY.known.logits.astype(float))

    def counts(p):
        return p > threshold if name == "typicality" else p <= threshold

    matrix = np.zeros((CLASSES, CLASSES))
    for p in known:
        for c in range(CLASSES):
            if counts(p[c]):
                matrix[c] += p
    matrix /= matrix.sum(axis=1)[:, None]
    told = []
    for p in S:
        there = [c for c in range(CLASSES) if counts(p[c])]
        there = there or [int(p.argmax() if name == "typicality" else p.argmin())]
        q = p / p.sum()
        away = {
            "squared": [((q - matrix[c]) ** 2).sum() for c in there],
            "kl": [stats.entropy(q, matrix[c]) for c in there],
        }[distance]
        told.append(sum(away) if name == "typicality" else -sum(away))
    spec = f"{name}(threshold={threshold}, distance={distance})"
    np.testing.assert_allclose(fit(spec, MANY.known).score(MANY.strange), told, rtol=1e-9)


def test_a_class_that_no_image_has_is_uniform_and_no_class_falls_back():
    known = Outputs(logits=np.array([[9.0, -9, -9]]), task="multi")
    detector = fit("typicality", known)
    third = np.full(3, 1 / 3)
    assert detector.state[1:].tolist() == [third.tolist()] * 2
    low = Outputs(logits=np.array([[-3.0, -2, -5]]), task="multi")
    q = special.expit([-3.0, -2, -5])
    q /= q.sum()
    assert detector.score(low)[0] == pytest.approx(((q - third) ** 2).sum())
    gone = Outputs(logits=np.full((1, 3), -5000.0), task="multi")
    assert np.isfinite(detector.score(gone)).all()


def test_a_class_just_at_the_threshold_is_not_there():
    known = Outputs(logits=np.array([[9.0, -9, 0]]), task="multi")
    typical, lacking = (fit(name, known) for name in ("typicality", "non_typicality"))
    assert known.probabilities()[0, 2] == 0.5
    third = np.full(3, 1 / 3)
    assert np.array_equal(typical.state[2], third)
    assert not np.allclose(lacking.state[2], third)
