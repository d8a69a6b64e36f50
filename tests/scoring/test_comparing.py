"""Two runs on the same images: differences, gates, flips, and what is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from brittle.errors import ScoreError, SpecError
from brittle.metrics._grid import TEST
from brittle.outcomes import MISSING, UNLABELLED
from brittle.scoring.bootstrap import Number
from brittle.scoring.comparing import compare_runs as compare
from brittle.scoring.comparing import exact_p
from brittle.scoring.gates import Gate, judged, read_gate
from tests.metrics.examples import Stand, flat, grid, photographs, stand


def run(level=0.3, *, clean=0.2, seed=1, name="old", **options):
    return stand(f"timm:{name}", grid(flat(level), clean=clean, count=200, seed=seed, **options),
                 info={"seed": 0})  # fmt: skip


def edited(given: Stand, set_name: str, **fields) -> Stand:
    """The run with other fields in one set's outcome."""
    (suite,) = given.suites
    outcomes = given.outcomes(suite)
    made = {**outcomes, set_name: outcomes[set_name]._replace(**fields)}
    return given._replace(outcomes_by_suite={suite: made})


def with_suite(given: Stand, **fields) -> Stand:
    (name,) = given.suites
    suite = replace(given.suite(), **fields)
    return given._replace(
        suites_by_name={suite.name: suite}, outcomes_by_suite={suite.name: given.outcomes(name)}
    )


@pytest.fixture(scope="module")
def old():
    return run()


@pytest.fixture(scope="module")
def new():
    return run(0.33, clean=0.19, seed=1, name="new")


@pytest.fixture(scope="module")
def found(old, new):
    return compare(old, new, replicates=400)


def test_a_run_does_not_differ_from_itself(old):
    found = compare(old, old, gates=["mCE:0"], replicates=100)
    assert not found.flips
    assert found.passed
    for change in found.changes:
        assert change.step.difference == (0, 0, 0)
        assert change.step.p == 1
        assert all(step.difference == (0, 0, 0) and step.p == 1 for step in change.columns.values())
    assert [c.exact for c in found.changes if c.name == "clean_error"] == [1.0]


def test_the_other_way_round_is_the_negative(old, new, found):
    back = compare(new, old, replicates=400)
    for there, here in zip(found.changes, back.changes, strict=True):
        value, low, high = there.step.difference
        assert here.step.difference == pytest.approx((-value, -high, -low), abs=1e-9)
        assert here.step.p == there.step.p
        assert here.exact == there.exact
        assert here.columns.keys() == there.columns.keys()
    assert {(f.key, f.set): (f.broke, f.mended) for f in found.flips} == {
        (f.key, f.set): (f.mended, f.broke) for f in back.flips
    }


def test_differences_are_of_the_scores(found):
    for change in found.changes:
        step = change.step
        assert step.difference.value == pytest.approx(step.new.value - step.old.value)
        assert step.difference.low <= step.difference.value <= step.difference.high
    moved = {change.name: change.step.difference.value for change in found.changes}
    assert moved["mean_corruption_error"] == pytest.approx(3)
    assert moved["clean_error"] == pytest.approx(-1)
    assert tuple(change.name for change in found.changes) == run().suite().scores


def test_columns_come_worst_first(found):
    for change in found.changes:
        moves = [step.difference.value for step in change.columns.values()]
        assert moves == sorted(moves, reverse=True)
    assert set(found.changes[0].columns) == set(TEST)


def test_pairing_makes_intervals_of_differences_narrow(old):
    """The same mistakes and a few more: the difference is far surer than either number."""
    outcomes = old.outcomes("imagenet-c")["clean-val"]
    ranks = outcomes.ranks.copy()
    right = np.flatnonzero(ranks[:, 0] == 0)[:4]
    ranks[right, 0] = 1
    step = compare(old, edited(old, "clean-val", ranks=ranks), replicates=1000).changes[-1].step
    assert step.difference.value == pytest.approx(2)
    # Four images of 200 differ: a Poisson number of them in each sample.
    assert step.difference.high - step.difference.low == pytest.approx(4, abs=0.6)
    assert step.new.high - step.new.low > 10
    # No replicate of 1000 has fewer mistakes; none of the four is drawn in e**-4 of them.
    assert step.p == pytest.approx(2 * (math.exp(-4) * 1000 + 1) / 1001, abs=0.02)


def test_the_smallest_p_is_two_of_all_replicates(old):
    worse = run(0.6, clean=0.6, seed=1)
    for change in compare(old, worse, replicates=199).changes:
        if change.name != "relative_mce":
            assert change.step.p == 2 / 200


def test_false_alarms_are_as_rare_as_promised():
    rng = np.random.default_rng(0)
    alarms = 0
    for trial in range(200):
        suite, outcomes = photographs({"night": 0.5}, count=200)
        pair = []
        for _ in range(2):
            ranks = (rng.random((200, 1)) < 0.3).astype(np.int16)
            pair.append(
                stand("x", (suite, {"night": outcomes["night"]._replace(ranks=ranks)}),
                      info={"seed": 0})
            )  # fmt: skip
        made = compare(*pair, scores=["top1_error"], replicates=199, seed=trial)
        alarms += made.changes[0].step.p <= 0.05
    # 5 % of 200 is 10; three standard errors are 9.
    assert 1 <= alarms <= 19


@pytest.mark.parametrize("pair", [(0, 0), (1, 0), (5, 1), (12, 30), (400, 460)])
def test_mcnemar_is_the_binomial_test(pair):
    total = sum(pair)
    expected = stats.binomtest(pair[0], total, 0.5).pvalue if total else 1
    assert exact_p(*pair) == pytest.approx(expected, rel=1e-9)
    assert exact_p(*pair[::-1]) == exact_p(*pair)


def test_mcnemar_of_a_sure_change_is_tiny_but_not_nothing():
    assert 0 < exact_p(0, 500) < 1e-100


# Flips


def test_flips_are_counted_by_image(old):
    outcomes = old.outcomes("imagenet-c")["val"]
    ranks = outcomes.ranks.copy()
    ranks[7] = 0
    ranks[9] = 3
    made = compare(old, edited(old, "val", ranks=ranks), replicates=100)
    was = outcomes.ranks
    assert [(f.key, f.broke, f.mended, f.of) for f in made.flips] == [
        (outcomes.keys[9], int((was[9] == 0).sum()), 0, 75),
        (outcomes.keys[7], 0, int((was[7] > 0).sum()), 75),
    ]
    assert made.flips[0].label == "class_9"


def test_what_was_not_measured_is_no_flip(old):
    ranks = old.outcomes("imagenet-c")["val"].ranks.copy()
    ranks[3, :] = MISSING
    made = compare(old, edited(old, "val", ranks=ranks), replicates=100)
    assert not made.flips
    assert [change.name for change in made.changes] == ["clean_error"]
    assert "mce" in made.withheld


def test_flips_are_a_sequence_in_the_order_of_their_loss(old, new):
    found = compare(old, new, replicates=0).flips
    listed = list(found)
    assert len(listed) == len(found) > 20
    assert listed == sorted(listed, key=lambda f: (f.mended - f.broke, -f.broke, f.set, f.key))
    assert found[:3] == tuple(listed[:3])
    assert found[-1] == listed[-1]
    assert found.broke == sum(flip.broke for flip in listed)
    assert found.mended == sum(flip.mended for flip in listed)
    assert found.sets == ("clean-val", "val")
    assert compare(old, old, replicates=0).flips.sets == ()
    with pytest.raises(IndexError):
        found[len(found)]


def test_flips_are_made_only_when_asked_for(old, new, monkeypatch):
    from brittle.scoring import pairing

    made = []

    def flip(*fields):
        made.append(fields)
        return fields

    monkeypatch.setattr(pairing, "Flip", flip)
    found = compare(old, new, replicates=0)
    assert made == []
    assert len(found.flips[:3]) == len(made) == 3


# Gates


def test_a_gate_fails_when_surely_worse(old):
    worse = run(0.4, seed=1)
    made = compare(old, worse, gates=["mCE:1.0", "mCE:20", "clean_error:0"], replicates=400)
    assert [verdict.passed for verdict in made.verdicts] == [False, True, True]
    assert not made.passed
    assert "surely more than 1 worse" in made.verdicts[0].why
    assert "mCE moved by +" in made.verdicts[0].why


@pytest.mark.parametrize(
    ("moved", "better", "passed", "why"),
    [
        (Number(2, 1.1, 3), "lower", False, "surely more than 1 worse"),
        (Number(2, 0.9, 3), "lower", True, "more than 1 worse, but not surely so"),
        (Number(2, 1.0, 3), "lower", True, "but not surely so"),
        (Number(0.5, 0.1, 0.9), "lower", True, "no more than 1 worse"),
        (Number(-5, -6, -4), "lower", True, "no more than 1 worse"),
        (Number(-2, -3, -1.1), "higher", False, "surely more than 1 worse"),
        (Number(-2, -3, -0.9), "higher", True, "more than 1 worse, but not surely so"),
        (Number(5, 4, 6), "higher", True, "no more than 1 worse"),
    ],
)
def test_gates_know_the_direction(moved, better, passed, why):
    verdict = judged(Gate("x", 1.0, "x:1"), "X", moved, better, 1)
    assert verdict.passed == passed
    assert why in verdict.why


def test_a_gate_of_a_score_where_higher_is_better():
    good, bad = (
        stand("x", photographs({"night": error}, count=400, seed=2), info={"seed": 0})
        for error in (0.1, 0.5)
    )
    assert not compare(good, bad, gates=["accuracy:5"], replicates=200).passed
    assert compare(bad, good, gates=["accuracy:5"], replicates=200).passed


@pytest.mark.parametrize("text", ["mCE", "mCE:", "mCE:-1", "mCE:nan", "mCE:inf", ":1", "1.0"])
def test_what_is_no_gate_is_refused(text):
    with pytest.raises(ScoreError, match="is not a gate; write a metric, a colon"):
        read_gate(text)


def test_gates_that_cannot_be_judged_are_refused(old):
    with pytest.raises(SpecError, match=r"no metric 'mcee'\. Did you mean mce"):
        compare(old, old, gates=["mcee:1"])
    with pytest.raises(ScoreError, match="The gate gap:1: gap needs shifted images"):
        compare(old, old, gates=["gap:1"])
    with pytest.raises(ScoreError, match="A gate needs intervals"):
        compare(old, old, gates=["mce:1"], replicates=0)


@pytest.mark.parametrize("moved", [
    Number(math.nan, math.nan, math.nan), Number(0.0, math.nan, math.nan),
    Number(0.0, 0.0, math.inf), Number(math.nan, -1.0, 1.0),
])  # fmt: skip
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_a_difference_that_is_no_number_is_not_judged(moved, better):
    with pytest.raises(ScoreError, match="The gate x:1 cannot be judged: the difference of X is "):
        judged(Gate("x", 1.0, "x:1"), "X", moved, better, 1)


def test_a_gate_does_not_pass_on_an_infinite_interval():
    """In a quarter of all samples of two images the baseline loses nothing: 0 / 0 in OLD."""
    base, before, after = (
        stand("x", grid({name: [error] * 5 for name in TEST}, clean=clean, count=2))
        for error, clean in ((1.0, 0.5), (0.5, 0.5), (0.5, 0.0))
    )
    options = {"baseline": base, "scores": ["relative_mce"], "replicates": 200}
    (change,) = compare(before, after, **options).changes
    assert change.step.difference == (100, -math.inf, math.inf)
    assert change.step.p == 1
    with pytest.raises(ScoreError, match=r"The gate relative mCE:500 cannot be judged"):
        compare(before, after, gates=["relative mCE:500"], **options)


# What is refused


def refused(old, new, said):
    with pytest.raises(ScoreError, match=f"The runs cannot be compared: {said}"):
        compare(old, new, replicates=100)


def test_other_images_are_refused(old):
    keys = old.outcomes("imagenet-c")["val"].keys
    fewer = edited(old, "val", keys=("new/1", *keys[1:]))
    refused(old, fewer, "the images of val differ: OLD has 1 that are not in the other, such as "
            "class_0/000000; NEW has 1 that are not in the other, such as new/1")  # fmt: skip


def test_other_contents_and_labels_are_refused(old):
    digests = ("aa",) * 200
    first = edited(old, "val", digests=digests)
    refused(first, edited(old, "val", digests=("bb", *digests[1:])),
            "the image class_0/000000 of val has other contents in NEW")  # fmt: skip
    labels = old.outcomes("imagenet-c")["val"].labels
    refused(old, edited(old, "val", labels=("dog", *labels[1:])),
            "the image class_0/000000 of val is class_0 in OLD and dog in NEW")  # fmt: skip
    assert compare(first, first, replicates=100).notes == ()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"edition": "any"}, "edition imagenet-224 in OLD and any in NEW"),
        ({"facts": {"pixels": "read"}}, "pixels generated in OLD and read in NEW"),
    ],
)
def test_another_suite_is_refused(old, fields, said):
    refused(old, with_suite(old, **fields), said)


def test_another_seed_is_refused_where_pixels_were_drawn(old):
    refused(old, old._replace(info={"seed": 1}), "seed 0 in OLD and 1 in NEW")
    read = with_suite(old, facts={"pixels": "read"})
    assert not compare(read, read._replace(info={"seed": 1}), replicates=100).flips


def test_other_conditions_are_refused(old):
    fewer = with_suite(old, cells=old.suite().cells[:-4])
    refused(old, fewer, r"only OLD has jpeg_compression\(severity=2\), jpeg_compression\(severity=3"
            r"\), jpeg_compression\(severity=4\) and 1 more")  # fmt: skip
    refused(fewer, old, "only NEW has jpeg_compression")


def test_models_that_know_other_classes_are_refused(old):
    ranks = old.outcomes("imagenet-c")["val"].ranks.copy()
    ranks[0] = UNLABELLED
    refused(old, edited(old, "val", ranks=ranks), "the models know the classes of different images")


def with_facts(given: Stand, **facts) -> Stand:
    return with_suite(given, facts={**given.suite().facts, **facts})


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ({"lossless": False}, {"lossless": True},
         "the JPEG round trip was left out in NEW and not in OLD"),
        ({"lossless": True}, {"lossless": False},
         "the JPEG round trip was left out in OLD and not in NEW"),
        ({"exif": False}, {"exif": True},
         "the pictures were turned upright by EXIF in NEW and not in OLD"),
        ({"subset": None}, {"subset": "imagenet-r"}, "subset none in OLD and imagenet-r in NEW"),
        ({"versions": {"fog": 1, "snow": 1}}, {"versions": {"fog": 2, "snow": 1}},
         "version of fog 1 in OLD and 2 in NEW"),
        ({"sets": {"val": "aa" * 32}}, {"sets": {"val": "bb" * 32}},
         "the pictures of val differ: fingerprint aaaaaaaaaa in OLD and bbbbbbbbbb in NEW"),
        ({"sets": {"val": "aa"}, "contents": {"val": {"fog(severity=1)": "1"}}},
         {"sets": {"val": "aa"}, "contents": {"val": {"fog(severity=1)": "2"}}},
         r"the files of fog\(severity=1\) in val are others in NEW"),
        ({"lossless": False, "exif": False}, {"lossless": True, "exif": True},
         "the JPEG round trip was left out in NEW and not in OLD; the pictures were turned"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("pixels", ["generated", "read"])
def test_other_pictures_are_refused(old, pixels, was, now, said):
    first, second = (with_facts(old, pixels=pixels, **facts) for facts in (was, now))
    refused(first, second, said)
    assert not compare(first, first, replicates=100).notes
    # What a run does not say is no difference.
    plain = with_facts(old, pixels=pixels)
    assert not compare(plain, second, replicates=100).flips
    assert not compare(first, plain, replicates=100).flips


def test_parts_that_only_one_run_names_are_no_difference(old):
    first, second = (with_facts(old, versions=v) for v in ({"fog": 1}, {"snow": 2}))
    assert compare(first, second, replicates=100).passed


def test_another_generation_is_refused_where_pixels_were_drawn(old):
    first, second = (old._replace(info={"seed": 0, "generation": n}) for n in (1, 2))
    refused(first, second, "generation 1 in OLD and 2 in NEW")
    first, second = (with_facts(one, pixels="read") for one in (first, second))
    assert not compare(first, second, replicates=100).flips


def renamed(given: Stand, facts) -> Stand:
    """The run with every set under another name."""
    suite = given.suite()
    cells = tuple(cell._replace(set=f"{cell.set}-resized") for cell in suite.cells)
    outcomes = {f"{name}-resized": one for name, one in given.outcomes(suite.name).items()}
    made = replace(suite, cells=cells, facts={**suite.facts, **facts})
    return Stand("x", {suite.name: made}, {suite.name: outcomes}, given.info)


def test_resized_pictures_are_matched_and_said(old):
    prints = {"val": "aa", "clean-val": "bb"}
    here = with_facts(old, sets=prints, resized=False)
    there = {"sets": {f"{name}-resized": one for name, one in prints.items()}, "resized": True}
    found = compare(here, renamed(old, there), replicates=100)
    assert not found.flips
    assert found.notes == ("the pictures were resized to the model's input in NEW and not in OLD",)
    assert found.changes[0].title == "mCE, NEW mCE [resized]"
    back = compare(renamed(old, there), here, replicates=100)
    assert back.notes == ("the pictures were resized to the model's input in OLD and not in NEW",)


def test_sets_under_other_names_are_refused_unless_their_pictures_are_known_to_be_the_same(old):
    prints = {"val": "aa", "clean-val": "bb"}
    here = with_facts(old, sets=prints)
    others = {"val-resized": "cc", "clean-val-resized": "bb"}
    refused(here, renamed(old, {"sets": others}),
            "the pictures of val differ: fingerprint aa in OLD and cc in NEW")  # fmt: skip
    refused(old, renamed(old, {}), "the set clean-val of OLD is clean-val-resized in NEW, and "
            "nothing says that their pictures are the same")  # fmt: skip


def test_sets_that_changed_places_are_not_taken_for_each_other():
    one = stand("x", photographs({"night": 0.5, "day": 0.1}), info={"seed": 0})
    suite = one.suite()
    swap = {"night": "day", "day": "night"}
    cells = tuple(cell._replace(set=swap[cell.set]) for cell in suite.cells)
    refused(one, with_suite(one, cells=cells), "the images of night differ")


def test_runs_with_other_classes_are_compared_and_said(old):
    known, own = (
        with_facts(old, classes=count, class_list=name, definition=name)
        for count, name in ((1000, "imagenet"), (10, None))
    )
    found = compare(known, own, replicates=100)
    assert found.notes == (
        "the model has the 1000 classes of imagenet in OLD and 10 classes of its own in NEW",
        "imagenet-c is defined otherwise in NEW than in OLD",
    )
    # A score that one of them cannot give is not given.
    assert "these on 10 classes of its own" in found.withheld["mce"]
    assert found.changes[0].name == "maude"
    assert "mce" in compare(own, known, replicates=100).withheld


def test_nothing_to_compare_is_refused(old):
    none = with_suite(old, scores=("gap",))
    with pytest.raises(ScoreError, match="None of the scores of imagenet-c can be compared: gap"):
        compare(none, none)


def test_only_the_scores_asked_for(old, new):
    made = compare(old, new, scores=["relative mCE"], gates=["clean_error:5"], replicates=100)
    assert [change.name for change in made.changes] == ["relative_mce", "clean_error"]
