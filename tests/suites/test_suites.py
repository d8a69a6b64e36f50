from pathlib import Path

import pytest

from brittle import editions, suites
from brittle.baselines import BASELINES
from brittle.corruptions import CORRUPTIONS
from brittle.errors import SpecError
from brittle.layouts import LAYOUTS
from brittle.metrics import METRICS
from brittle.separation import SEPARATION

PAPER = [
    "gaussian_noise",
    "shot_noise",
    "impulse_noise",
    "defocus_blur",
    "glass_blur",
    "motion_blur",
    "zoom_blur",
    "snow",
    "frost",
    "fog",
    "brightness",
    "contrast",
    "elastic_transform",
    "pixelate",
    "jpeg_compression",
]
EXTRA = ["speckle_noise", "gaussian_blur", "spatter", "saturate"]
MOVING = [
    "gaussian_noise",
    "shot_noise",
    "motion_blur",
    "zoom_blur",
    "snow",
    "brightness",
    "translate",
    "rotate",
    "tilt",
    "scale",
]
GOOD = 'about = "x"\nedition = "any"\ncorruptions = ["fog", "snow"]\n'


def test_the_published_suites_are_there() -> None:
    assert {
        "imagenet-c",
        "imagenet-c-extra",
        "imagenet-c-all",
        "tiny-imagenet-c",
        "imagenet-64-c",
        "inception-c",
        "cifar10-c",
        "cifar100-c",
    } <= set(suites.names())


PHOTOGRAPHS = {
    "imagenet-a": "one",
    "imagenet-r": "one",
    "imagenet-sketch": "one",
    "imagenet-v2": "one",
    "blurry": "one",
    "shifts": "several",
    "multilabel": "several",
}
OUTLIERS = {"imagenet-o": "one", "ood": "several", "multilabel-ood": "several"}
SEVERAL_CLASSES = {"multilabel", "multilabel-ood"}


@pytest.mark.parametrize("name", suites.names())
@pytest.mark.filterwarnings("ignore:frost")
def test_every_suite_is_whole(name: str) -> None:
    suite = suites.get(name)
    assert suite.name == name
    assert suite.about
    assert suite.citation or suite.footage
    assert suite.layout in LAYOUTS.names()
    assert suite.edition in editions.EDITIONS
    assert suite.scores
    known = METRICS.names()
    if suite.outliers is not None:
        known = SEPARATION.names()
    elif name in SEVERAL_CLASSES:
        known = suites.PRECISIONS
    assert set(suite.scores) <= set(known)
    assert (suite.task == "multi") == (name in SEVERAL_CLASSES)
    assert suite.outliers == OUTLIERS.get(name)
    reads = name in {*OUTLIERS, *SEVERAL_CLASSES}
    assert suite.keep == (("logits",) if reads else ())
    assert suite.baseline in (None, *BASELINES.names())
    if suite.baseline is not None:
        assert BASELINES.load(suite.baseline).edition == suite.edition
    assert suite.photographs == PHOTOGRAPHS.get(name)
    if suite.photographs is not None or suite.outliers is not None:
        with pytest.raises(SpecError, match=f"The suite {name} is of photographs as they are"):
            suite.conditions()
    elif suite.footage:
        with pytest.raises(SpecError, match=f"The suite {name} is of films as they are"):
            suite.conditions()
    elif suite.perturbations:
        assert suite.conditions() == ()
        assert [str(one) for one in suite.sequences()][:10] == MOVING
        assert [one.spec.name for one in suite.sequences(extra=True)][-6:].count("shear") == 1
        assert "sequences" in LAYOUTS.load(suite.layout).holds
    elif name == "clean":
        assert [str(condition) for condition in suite.conditions()] == ["clean"]
    else:
        assert len({str(condition) for condition in suite.conditions()}) >= 20


def test_the_two_hundred_classes_are_those_of_the_set() -> None:
    subsets = {name: suites.get(name).subset for name in suites.names()}
    assert {name for name, subset in subsets.items() if subset} == {
        "imagenet-a",
        "imagenet-o",
        "imagenet-r",
    }
    assert all(subset == name for name, subset in subsets.items() if subset)


def test_the_grid_is_the_papers() -> None:
    suite = suites.get("imagenet-c")
    assert list(suite.corruptions) == PAPER
    assert list(suite.extra) == EXTRA
    assert [*suites.get("imagenet-c-all").corruptions] == PAPER + EXTRA
    assert sorted(PAPER + EXTRA) == [
        name for name in CORRUPTIONS.names() if name in {*PAPER, *EXTRA}
    ]


@pytest.mark.filterwarnings("ignore:frost")
def test_conditions_come_corruption_by_corruption() -> None:
    suite = suites.get("imagenet-c")
    listed = [str(condition) for condition in suite.conditions()]
    assert len(listed) == 75
    assert listed[:6] == [f"gaussian_noise(severity={n})" for n in range(1, 6)] + [
        "shot_noise(severity=1)"
    ]
    assert len(suite.conditions(extra=True)) == 95
    assert {condition.edition for condition in suite.conditions(edition="any")} == {"any"}


def test_extra_of_a_suite_without_is_refused() -> None:
    with pytest.raises(SpecError, match="no extra parts"):
        suites.get("imagenet-c-extra").conditions(extra=True)


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(SpecError, match=r"no suite 'imagnet-c'\. Did you mean .*imagenet-c"):
        suites.get("imagnet-c")


def test_ones_own_file_works_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_text(
        'about = "dark"\nedition = "any"\n'
        'conditions = ["contrast(severity=3)+gaussian_noise(severity=2)", "fog(severity=1)"]\n'
    )
    suite = suites.get(str(path))
    assert suite.name == "night"
    assert [str(condition) for condition in suite.conditions()] == [
        "contrast(severity=3)+gaussian_noise(severity=2)",
        "fog(severity=1)",
    ]


def test_a_file_may_not_take_the_name_of_a_published_suite(tmp_path: Path) -> None:
    (tmp_path / "imagenet-c.toml").write_text(GOOD)
    with pytest.raises(SpecError, match="rename it"):
        suites.get(str(tmp_path / "imagenet-c.toml"))
    with pytest.raises(SpecError, match="cannot be read"):
        suites.get(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("about = ", "is not TOML"),
        (GOOD + "severitys = [1]", "no field 'severitys'. Did you mean severities"),
        (GOOD + "severities = [1, 6]", "severities must be a rising list"),
        (GOOD + "severities = [2, 1]", "severities must be a rising list"),
        (GOOD + "severities = [true]", "severities must be a rising list"),
        (
            GOOD + 'conditions = ["clean"]',
            "one of corruptions, conditions, perturbations, footage, outliers and photographs",
        ),
        (
            'about = "x"\nedition = "any"',
            "one of corruptions, conditions, perturbations, footage, outliers and photographs",
        ),
        ('about = "x"\ncorruptions = ["fog"]', "does not say its edition"),
        (GOOD.replace('"any"', '"imagenet-225"'), "no edition 'imagenet-225'"),
        (GOOD.replace("snow", "snoww"), "no corruption 'snoww'. Did you mean snow"),
        (GOOD.replace("snow", "fog"), "names fog twice"),
        (GOOD + 'extra = ["fog"]', "names fog twice"),
        (GOOD.replace('["fog", "snow"]', "[]"), "corruptions must be a list"),
        (
            GOOD + 'photographs = "one"',
            "one of corruptions, conditions, perturbations, footage, outliers and photographs",
        ),
        (GOOD.replace("corruptions = [", "photographs = ["), "photographs must be one or several"),
        (GOOD + 'scores = ["mcee"]', "no metric 'mcee'. Did you mean mce"),
        (GOOD + 'baseline = "alexnett"', "no baseline 'alexnett'. Did you mean alexnet"),
        (GOOD + 'classes = "imagnet"', "no list of classes 'imagnet'"),
        (GOOD + 'subset = "imagenet-b"', "no list of classes 'imagenet-b'"),
        (GOOD + 'indices = "yes"', "indices must be true or false"),
        (
            'about = "x"\nedition = "any"\nconditions = ["clean"]\nseverities = [1]',
            "go with corruptions",
        ),
    ],
)
def test_a_wrong_file_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint.replace(".", r"\.").replace("(", r"\(")):
        suites.read("mine", text)


def test_a_right_file_is_not() -> None:
    assert suites.read("mine", GOOD + "severities = [1, 3]").severities == (1, 3)


def test_scores_of_the_wrong_kind_are_refused() -> None:
    head = 'about = "x"\nedition = "any"\n'
    for rest, said in (
        ('outliers = "several"\nscores = ["mce"]\n', "no measure of separation 'mce'"),
        ('photographs = "several"\ntask = "multi"\nscores = ["auroc"]\n', "several classes a pict"),
        ('photographs = "one"\nscores = ["auroc"]\n', "no metric 'auroc'"),
        ('perturbations = ["fog"]\n', "no perturbation 'fog'"),
        ('perturbations = ["tilt", "tilt"]\n', "names tilt twice"),
        ('perturbations = ["gaussian_noise(strength=7)"]\n', "strength must be"),
        ("footage = false\n", "footage must be true"),
    ):
        with pytest.raises(SpecError, match=said):
            suites.read("mine", head + rest)
