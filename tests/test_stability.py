"""Flips and distances between rankings: the authors' numbers, and what must hold of any."""

import json

import numpy as np
import pytest

from brittle.errors import ScoreError
from brittle.stability import comparisons, flips, top5_distance, zipf_distance
from tests.helpers.shared import needs_shared, shared

FUNCTIONS = {"top5_distance": top5_distance, "zipf_distance": zipf_distance}


def rankings(seed: int, sequences: int, frames: int, classes: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(sequences, 1, classes))
    logits = base + 0.1 * np.cumsum(rng.normal(size=(sequences, frames, classes)), axis=1)
    return np.argsort(-logits, axis=2, kind="stable")


@needs_shared
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_worked_distances(name):
    worked = json.loads(shared("reference", "metrics.json").read_text())[name]
    assert len(worked["permutations"]) == len(worked["distance"]) == 7
    for permutation, distance in zip(worked["permutations"], worked["distance"], strict=True):
        place = np.array(permutation) - 1
        other = np.argsort(place)
        both = np.stack([np.arange(len(place)), other])[None]
        assert FUNCTIONS[name](both, "previous")[0, 0] == pytest.approx(distance, abs=1e-15)


def test_the_last_class_that_comes_first():
    both = np.array([[list(range(9)), [8, *range(8)]]])
    assert top5_distance(both, "previous").item() == 5


def test_the_authors_numbers():
    """NumPy's legacy generator gives the same draws in every version."""
    r = np.random.RandomState(0)
    base = r.normal(size=(4, 1, 1000))
    logits = base + 0.35 * np.cumsum(r.normal(size=(4, 31, 1000)), 1) * 0.3
    ranking = np.argsort(-logits, axis=2, kind="stable")
    wanted = {
        "previous": (0.15833333333333333, 3.2666666666666666, 0.23441748099770082),
        "first": (0.5083333333333333, 7.775, 0.760244669761194),
    }
    for reference, (fp, top5, zipf) in wanted.items():
        assert flips(ranking, reference).mean() == fp
        assert top5_distance(ranking, reference).mean() == top5
        assert top5_distance(ranking[:, :, :5], reference).mean() == top5
        assert zipf_distance(ranking, reference).mean() == pytest.approx(zipf, rel=1e-13)


@pytest.mark.parametrize("difficulty", [1, 2, 3, 7])
def test_a_difficulty_pools_interleaved_sequences(difficulty):
    ranking = rankings(1, 5, 22, 12)
    for function in (flips, top5_distance, zipf_distance):
        found = function(ranking, "previous", difficulty)
        assert found.shape == (5, comparisons(22, "previous", difficulty))
        parts = [function(ranking[:, start::difficulty], "previous") for start in range(difficulty)]
        pooled = np.concatenate(parts, axis=1)
        assert np.sort(found, axis=1) == pytest.approx(np.sort(pooled, axis=1))


def test_frames_drawn_afresh_have_one_reference_whatever_the_difficulty():
    ranking = rankings(2, 3, 9, 12)
    for function in (flips, top5_distance):
        assert np.array_equal(function(ranking, "first", 3), function(ranking, "first"))


@pytest.mark.parametrize("reference", ["first", "previous"])
def test_laws(reference):
    ranking = rankings(3, 40, 12, 9)
    flipped = flips(ranking, reference)
    top5 = top5_distance(ranking, reference)
    zipf = zipf_distance(ranking, reference)
    assert flipped.any()
    assert not flipped.all()
    assert (top5 >= 0).all()
    assert (top5 <= 15).all()
    # A flip moves the foremost class, which both distances see; no distance, no flip.
    assert (top5[flipped] > 0).all()
    assert (zipf[flipped] > 0).all()
    same = zipf == 0
    assert (top5[same] == 0).all()
    still = np.repeat(ranking[:, :1], 12, axis=1)
    for function in (flips, top5_distance, zipf_distance):
        assert not function(still, reference).any()
    # What classes are called does not matter.
    names = np.random.default_rng(0).permutation(9)
    assert np.array_equal(top5_distance(names[ranking], reference), top5)
    assert np.array_equal(zipf_distance(names[ranking], reference), zipf)


def test_five_others_are_the_farthest():
    both = np.array([[range(5), range(5, 10)]])
    assert top5_distance(both, "previous").item() == 15


def test_nonsense_is_refused():
    ranking = rankings(4, 2, 4, 6)
    with pytest.raises(ScoreError, match="sequences x frames x places; got the shape"):
        flips(ranking[0], "previous")
    with pytest.raises(ScoreError, match="whole number of at least 1; got 0"):
        flips(ranking, "previous", 0)
    with pytest.raises(ScoreError, match="4 frames has nothing to compare at difficulty 4"):
        top5_distance(ranking, "previous", 4)
    with pytest.raises(ScoreError, match="ranking of all classes"):
        zipf_distance(ranking[:, :, :5] * 2, "previous")
