"""Every kind of model, found by its file, meets the contract of the family."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from brittle.errors import ImageError, ModelError, SpecError
from brittle.models import MODELS, Settings, open_model, split
from tests.models.examples import BUILDERS, picture, pictures

NAMES = MODELS.names()


@pytest.fixture(params=NAMES)
def model(request, opened):
    return opened(request.param)


def batch(model, count=7):
    return pictures(count, model.size[0])


def test_every_kind_has_a_builder_and_no_builder_is_left():
    assert set(BUILDERS) == set(NAMES)


@pytest.mark.parametrize("kind", NAMES)
def test_a_kind_says_what_it_is(kind):
    part = MODELS.load(kind)
    assert 20 < len(part.about) <= 92
    assert not part.about.endswith(".")
    for name, wanted in part.params.items():
        assert name.isidentifier()
        assert all(isinstance(one, type) for one in (wanted if type(wanted) is tuple else [wanted]))


@pytest.mark.parametrize("kind", NAMES)
def test_opening_twice_gives_the_same(kind, specs, opened, monkeypatch):
    spec, root = specs(kind)
    monkeypatch.chdir(root)
    first, second = opened(kind), open_model(spec)
    assert first.name == second.name
    assert first.digest == second.digest
    assert len(first.digest) == 64
    assert dict(first.facts) == dict(second.facts)
    given = batch(first)
    assert np.array_equal(first.predict(given).logits, second.predict(given).logits)


def test_the_name_is_a_spec_of_itself(model):
    kind, target, params = split(model.name)
    assert kind in NAMES
    assert target
    assert set(params) <= set(MODELS.load(kind).params)


def test_outputs_are_float32_rows(model):
    given = batch(model)
    before = given.copy()
    found = model.predict(given)
    assert np.array_equal(given, before)
    assert found.features is None
    assert found.logits.dtype == np.float32
    assert found.logits.shape[0] == 7
    assert found.logits.shape[1] == len(model.classes or found.logits[0])
    assert np.isfinite(found.logits).all()
    assert found.logits.std(axis=0).max() > 0
    assert found.logits.flags.writeable


def test_predicting_twice_gives_the_same(model):
    given = batch(model)
    first = model.predict(given).logits
    kept = first.copy()
    assert np.array_equal(model.predict(given).logits, kept)
    model.predict(given[::-1].copy())
    assert np.array_equal(first, kept)


def test_neither_batch_size_nor_order_matters(model):
    given = batch(model)
    whole = model.predict(given).logits
    single = np.concatenate([model.predict(given[i : i + 1]).logits for i in range(len(given))])
    assert np.allclose(single, whole, atol=1e-4)
    assert np.allclose(model.predict(given[::-1]).logits[::-1], whole, atol=1e-4)


def test_read_only_and_strided_batches_are_taken(model):
    given = batch(model)
    whole = model.predict(given).logits
    frozen = given.copy()
    frozen.flags.writeable = False
    assert np.array_equal(model.predict(frozen).logits, whole)
    twice = np.repeat(given, 2, axis=0)[::2]
    assert np.allclose(model.predict(twice).logits, whole, atol=1e-5)


def test_a_picture_of_the_size_is_returned_as_it_is(model):
    height, width = model.size
    given = picture(height, width)
    assert model.prepare(given) is given


def test_other_pictures_are_brought_to_the_size(model):
    height, width = model.size
    for shape in ((height * 2, width * 3), (height + 1, width), (3, 5), (height // 2, width * 2)):
        given = picture(*shape)
        before = given.copy()
        out = model.prepare(given)
        assert out.dtype == np.uint8
        assert out.shape == (height, width, 3)
        assert out.flags.writeable
        assert np.array_equal(given, before)
        assert model.prepare(out) is out


def test_preparing_is_thread_safe(model):
    given = [picture(40 + 7 * n, 300 - 5 * n, seed=n) for n in range(12)]
    alone = [model.prepare(one) for one in given]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(model.prepare, given * 3))
    for n, out in enumerate(together):
        assert np.array_equal(out, alone[n % len(given)])


def test_another_size_is_refused_and_not_resized(model):
    side = model.size[0]
    said = f"takes pictures of {side}x{side}; got {side + 1}x{side + 1}. It does not resize them"
    with pytest.raises(ModelError, match=said):
        model.predict(pictures(2, side + 1))


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((2, 8, 8, 3), np.float32),
        np.zeros((8, 8, 3), np.uint8),
        np.zeros((2, 8, 8, 1), np.uint8),
        np.zeros((0, 8, 8, 3), np.uint8),
        [[1]],
    ],
)
def test_what_is_no_batch_is_refused(model, wrong):
    with pytest.raises(ModelError, match=r"takes N x H x W x 3 uint8; got"):
        model.predict(wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (np.zeros((8, 8), np.uint8), r"prepares H x W x 3 uint8 pictures; got uint8 of shape"),
        (np.zeros((8, 8, 3)), "got float64"),
        (np.zeros((0, 8, 3), np.uint8), "shape"),
        ("picture.png", r'got a str. Use numpy.asarray\(image.convert\("RGB"\)\)'),
    ],
)
def test_what_is_no_picture_is_refused(model, wrong, said):
    with pytest.raises(ImageError, match=said):
        model.prepare(wrong)


def test_facts_say_how_it_is_repeated(model):
    facts = dict(model.facts)
    assert json.loads(json.dumps(facts)) == facts
    assert facts["size"] == list(model.size)
    assert facts["interpolation"]
    assert {"resize", "crop_mode", "device", "precision", "classes"} <= facts.keys()
    assert (facts["classes"].startswith("unknown")) == (model.classes is None)
    libraries = {"torch", "numpy", "onnxruntime"} & facts.keys()
    assert libraries


@pytest.mark.parametrize("kind", NAMES)
def test_class_names_that_are_given_go_first(kind, specs, opened, monkeypatch):
    spec, root = specs(kind)
    monkeypatch.chdir(root)
    own = opened(kind)
    count = own.predict(batch(own, 1)).logits.shape[1]
    names = tuple(f"n{number}" for number in range(count, 0, -1))
    named = open_model(spec, Settings(classes=names))
    assert named.classes == names
    assert named.facts["classes"] == "given"
    assert repr(named) == f"<model {own.name}>"


@pytest.mark.parametrize("kind", sorted(set(NAMES) - {"clip"}))
def test_a_wrong_number_of_class_names_is_refused(kind, specs, monkeypatch):
    spec, root = specs(kind)
    monkeypatch.chdir(root)

    def run():
        # A NumPy model knows its outputs as it opens, others when they have answered.
        model = open_model(spec, Settings(classes=("a", "b", "c")))
        model.predict(batch(model, 1))

    with pytest.raises(ModelError, match="outputs, but 3 class names were given"):
        run()


@pytest.mark.parametrize("kind", NAMES)
def test_unknown_parameters_and_wrong_types_are_refused(kind, specs):
    target = split(specs(kind)[0])[1]
    with pytest.raises(SpecError, match=rf"{kind}: There is no parameter 'nonsense'"):
        open_model(f"{kind}:{target}(nonsense=1)")
    name, wanted = next(iter(MODELS.load(kind).params.items()))
    with pytest.raises(SpecError, match=rf"{kind}: {name} must be a .*; got (True|False)"):
        open_model(f"{kind}:{target}({name}=true)")
    assert wanted is not bool


@pytest.mark.parametrize("kind", NAMES)
def test_no_target_is_refused(kind):
    with pytest.raises(SpecError, match=f"'{kind}:' names no model; after {kind}: comes"):
        open_model(f"{kind}:")
