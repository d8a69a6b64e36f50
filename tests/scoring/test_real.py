"""What real runs say of themselves is enough to tell other pictures and other numbers apart."""

import json
from pathlib import Path

import numpy as np
import pytest

from brittle import reports
from brittle._compare import compare
from brittle._run import Run
from brittle.errors import ScoreError
from brittle.labels import known
from tests.helpers.runs import measured, pictures, suite

FIFTEEN = """\
about = "The fifteen at 64 pixels."
edition = "imagenet-64"
corruptions = [
  "gaussian_noise", "shot_noise", "impulse_noise", "defocus_blur", "glass_blur", "motion_blur",
  "zoom_blur", "snow", "frost", "fog", "brightness", "contrast", "elastic_transform",
  "pixelate", "jpeg_compression",
]
scores = ["mce", "relative_mce", "mean_corruption_error", "clean_error"]
"""
pytestmark = pytest.mark.filterwarnings("ignore:frost:UserWarning")
ORDER = np.linspace(0, 1, 1000, dtype="float32")
SMALLER = "linear:random(classes=3, size=32)"


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("real")


@pytest.fixture(scope="module")
def source(place) -> Path:
    return pictures(place / "source", 6)


@pytest.fixture(scope="module")
def old(place, source) -> Run:
    return measured(source, place / "old", suite(place))


@pytest.fixture
def again(place, source, tmp_path):
    """Measure once more, with other options."""
    return lambda **options: measured(source, tmp_path / "again", suite(place), **options)


def edited(run: Run, out: Path, change) -> Run:
    """The run with another record."""
    out.mkdir()
    for path in run.path.rglob("*"):
        target = out / path.relative_to(run.path)
        if path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    record = json.loads((out / "run.json").read_text())
    change(record)
    (out / "run.json").write_text(json.dumps(record))
    return Run.open(out)


def test_the_same_pictures_are_compared(old, again):
    found = compare(old, again(), replicates=100)
    assert found.notes == ()
    assert found.changes[0].step.difference == (0, 0, 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"jpeg": False}, "the JPEG round trip was left out in NEW and not in OLD"),
        ({"exif": True}, "the pictures were turned upright by EXIF in NEW and not in OLD"),
        ({"seed": 1}, "seed 0 in OLD and 1 in NEW"),
        ({"limit": 5}, "the images of .* differ: OLD has 1 that are not in the other"),
    ],
)
def test_other_pictures_are_not_compared(old, again, options, said):
    with pytest.raises(ScoreError, match=f"The runs cannot be compared: {said}"):
        compare(old, again(**options), replicates=100)


def test_other_versions_and_generations_are_not_compared(old, tmp_path):
    def version(record):
        record["suites"]["small"]["facts"]["versions"]["contrast"] = 99

    def generation(record):
        record["generation"] = "another"

    def fingerprint(record):
        prints = record["suites"]["small"]["facts"]["sets"]
        prints.update(dict.fromkeys(prints, "ab" * 32))

    for number, (change, said) in enumerate(
        (
            (version, "version of contrast 1 in OLD and 99 in NEW"),
            (generation, "generation .+ in OLD and another in NEW"),
            (fingerprint, "fingerprint .{10} in OLD and ababababab in NEW"),
        )
    ):
        with pytest.raises(ScoreError, match=said):
            compare(old, edited(old, tmp_path / str(number), change), replicates=100)


def test_another_size_of_the_model_is_only_said(old, again):
    found = compare(old, again(model=SMALLER, resize=True), replicates=100)
    assert found.notes == ("the pictures were resized to the model's input in NEW and not in OLD",)
    assert found.changes[0].title.endswith(", NEW mean corruption error [2 corruptions; severities "
                                           "2, 5; resized]")  # fmt: skip


def test_a_baseline_must_be_of_the_same_pictures(place, source, tmp_path):
    mine = suite(tmp_path, "mine", FIFTEEN)
    one = measured(source, tmp_path / "one", mine, limit=2)
    assert one.score("mCE", baseline=one, replicates=100).value == 100
    for name, options, said in (
        ("lossless", {"jpeg": False}, "the JPEG round trip was left out in the baseline and not"),
        ("more", {"limit": 3}, "the images of .* differ: the baseline has 1 that are not in"),
    ):
        other = measured(source, tmp_path / name, mine, **{"limit": 2, **options})
        with pytest.raises(ScoreError, match=f"cannot be the baseline: {said}"):
            one.score("mCE", baseline=other, replicates=100)
    seeded = measured(source, tmp_path / "seeded", mine, limit=2, seed=7)
    notes = reports.summary(one, baseline=seeded, replicates=0).notes
    assert any("seed 0 in the scored run and 7 in the baseline" in note for note in notes)


def test_a_table_of_other_pictures_says_so(old, again):
    runs = [old, old, again(jpeg=False)]
    (note,) = [n for n in reports.paper(runs, replicates=0).notes if n.startswith("row ")]
    assert note == (
        f"row 3 ({old.model}) is not on the same pictures as row 1 ({old.model}): the JPEG round "
        f"trip was left out in row 3 and not in row 1"
    )


@pytest.mark.parametrize(
    ("options", "brackets", "fact"),
    [
        ({"jpeg": False}, "without JPEG", ("jpeg", "left out")),
        ({"exif": True}, "EXIF", ("exif", "obeyed")),
        ({"model": SMALLER, "resize": True}, "resized", ("resized", "to the model's input")),
    ],
)
def test_titles_and_facts_say_how_the_pictures_were_made(again, options, brackets, fact):
    run = again(**options)
    score = run.score("mean_corruption_error", replicates=0)
    assert score.title == f"mean corruption error [2 corruptions; severities 2, 5; {brackets}]"
    assert fact in reports.summary(run, replicates=0).facts.items()
    assert fact in reports.grid(run, replicates=0).facts.items()


def test_own_classes_have_a_mean_error_and_no_mce(source, tmp_path):
    model = "linear:random(classes=3, size=224)"
    run = measured(source, tmp_path / "run", "imagenet-c", model=model, limit=1)
    sheet = reports.summary(run, replicates=0)
    assert [row[1] for row in sheet.rows] == ["mean_corruption_error", "clean_error"]
    assert sheet.facts["own classes"] == 3
    (note,) = [note for note in sheet.notes if "given" in note]
    assert note.startswith("mce and relative_mce are not given: AlexNet's errors are on the 1000 ")
    table = reports.table([run], replicates=0)
    assert " CE" not in table.splitlines()[3]
    assert "mean of 15" in table
    with pytest.raises(ScoreError, match="these on 3 classes of its own"):
        run.score("mCE", replicates=0)
    score = run.score("mCE", baseline="alexnet", replicates=0)
    assert score.title.endswith("(baseline AlexNet)")


def test_the_classes_of_imagenet_have_an_mce(tmp_path):
    wnids = known("imagenet")
    source = pictures(tmp_path / "source", 2, side=64)
    for old, new in (("n00", wnids[0]), ("n01", wnids[7])):
        (source / old).rename(source / new)

    def model(batch):
        # A function must tell pictures apart.
        return batch[:, 0, 0, :1].astype("float32") + ORDER

    run = measured(source, tmp_path / "run", "imagenet-c", model=model, classes="imagenet")
    score = run.score("mCE", replicates=0)
    assert score.title.startswith("mCE")
    assert "baseline" not in score.title
    facts = reports.grid(run, replicates=0).facts
    assert facts["baseline"] == "AlexNet"
    assert not {"classes", "own classes"} & facts.keys()
    assert not any("AlexNet" in note for note in score.notes)
