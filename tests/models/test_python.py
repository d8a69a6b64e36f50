"""Models that the user's own code makes, and plain functions."""

import numpy as np
import pytest
import torch

from brittle.errors import ImageError, ModelError, OutOfMemoryError, SpecError
from brittle.models import Model, Outputs, Settings, open_model
from tests.models.examples import MEAN, STD, Tiny, by_hand, picture, pictures

CODE = """
import numpy as np
import torch
from brittle.errors import LabelError
from brittle.models import Model, Outputs, torch_model
from tests.models.examples import MEAN, STD, Tiny


def network():
    return torch_model(Tiny(), size=16, mean=MEAN, std=STD, classes="abcde")


def arrays():
    return lambda batch: batch.mean(axis=(1, 2)).astype(float)


def tensors():
    return lambda batch: torch.tensor(batch).float().mean((1, 2))


def module():
    return Tiny()


def nothing():
    return None


def needs(something):
    return None


def refuses():
    raise LabelError("no labels here")


number = 3


def scaled(weights, factor=1):
    return lambda batch: float(factor) * len(weights) * batch.mean(axis=(1, 2))


def scaled_network(seed=0, *, settings=None):
    torch.manual_seed(seed)
    return torch_model(Tiny(), size=16, mean=MEAN, std=STD, classes="abcde", settings=settings)


class Own(Model):
    name = "own"
    classes = ("r", "g", "b")
    size = None
    digest = None
    gives = "logits"
    facts = {"device": "mine"}

    def __init__(self, settings=None):
        self.facts = {"device": settings.device if settings else "mine"}

    def prepare(self, image):
        return image

    def predict(self, batch):
        return Outputs(batch.mean(axis=(1, 2)).astype(np.float32))


def own():
    return Own()


def own_with(settings):
    return Own(settings)


class Holder:
    inside = staticmethod(arrays)
"""


@pytest.fixture
def mine(tmp_path, monkeypatch, request):
    """A module in the current directory, of a name that no other test has imported."""
    name = f"mine_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return f"python:{name}"


def test_a_wrapped_network_follows_the_settings(mine):
    settings = Settings(precision="bfloat16", channels_last=True, features=True)
    model = open_model(f"{mine}:network", settings)
    found = model.predict(pictures(3))
    assert model.name == f"{mine}:network"
    assert model.facts["precision"] == "bfloat16"
    assert model.facts["channels_last"] is True
    assert model.facts["classes"] == "the model's own"
    assert found.features.shape == (3, 8)
    assert np.allclose(found.logits, by_hand(Tiny(), pictures(3)), atol=0.05)


@pytest.mark.parametrize("name", ["arrays", "tensors", "Holder.inside"])
def test_a_function_of_batches_is_a_model(mine, name):
    model = open_model(f"{mine}:{name}", Settings(classes=("r", "g", "b")))
    batch = pictures(4, 9)
    assert np.allclose(model.predict(batch).logits, batch.mean(axis=(1, 2)), atol=1e-3)
    assert model.size is None
    assert model.digest is None
    assert model.facts["classes"] == "given"
    image = picture(7, 5)
    assert model.prepare(image) is image


def test_a_function_gets_a_preparation_by_the_spec(mine):
    model = open_model(f"{mine}:arrays(size=16, resize=20, interpolation=bicubic)")
    assert model.size == (16, 16)
    assert model.prepare(picture(40, 60)).shape == (16, 16, 3)
    assert model.facts["resize"] == [20, 20]


def test_a_model_of_ones_own_is_named_and_keeps_the_rest(mine):
    model = open_model(f"{mine}:own", Settings(classes=("x", "y", "z")))
    batch = pictures(2)
    assert model.name == f"{mine}:own"
    assert model.classes == ("x", "y", "z")
    assert model.facts == {"device": "mine", "classes": "given"}
    assert np.allclose(model.predict(batch).logits, batch.mean(axis=(1, 2)), atol=1e-3)
    image = picture(3, 4)
    assert model.prepare(image) is image
    assert open_model(f"{mine}:own").classes == ("r", "g", "b")


def test_settings_go_to_the_callable_that_takes_them(mine):
    assert open_model(f"{mine}:own_with", Settings(device="cpu")).facts["device"] == "cpu"
    with pytest.raises(ModelError, match="cannot follow precision=float16: the callable takes no"):
        open_model(f"{mine}:own", Settings(precision="float16"))


@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        (":gone", ModelError, "has no attribute 'gone'. Modules are looked for in"),
        (":number", ModelError, "is a int, which cannot be called"),
        (":nothing", ModelError, "is a NoneType, which cannot be called"),
        (":needs", ModelError, r"needs\(\) failed: TypeError: .*something"),
        (":module", ModelError, "torch module, which does not say how pixels become its numbers"),
        (":network(size=32)", SpecError, "returns a model, which has its own preproc.*leave size"),
        ("", SpecError, "is no module:callable; write my_file:load"),
    ],
)
def test_what_cannot_be_opened_says_why(mine, what, error, said):
    with pytest.raises(error, match=said):
        open_model(f"{mine}{what}")


def test_parameters_that_the_callable_names_are_its_own(mine):
    model = open_model(f"{mine}:scaled(weights=/some/net.pt, factor=2, size=9)")
    batch = pictures(2, 9)
    wanted = 2 * len("/some/net.pt") * batch.mean(axis=(1, 2))
    assert np.allclose(model.predict(batch).logits, wanted, rtol=1e-6)
    assert model.name == f"{mine}:scaled(factor=2, size=9, weights=/some/net.pt)"
    assert model.size == (9, 9)


def test_parameters_go_with_the_settings_to_a_network(mine):
    settings = Settings(precision="bfloat16")
    model = open_model(f"{mine}:scaled_network(seed=3)", settings)
    assert model.name == f"{mine}:scaled_network(seed=3)"
    assert model.facts["precision"] == "bfloat16"


def test_parameters_that_nobody_takes_are_refused(mine):
    with pytest.raises(SpecError, match=r"no parameter 'wights'. Did you mean weights\?"):
        open_model(f"{mine}:scaled(wights=a)")
    with pytest.raises(SpecError, match="no parameter 'settings'"):
        open_model(f"{mine}:own_with(settings=1)")
    with pytest.raises(ModelError, match=r"scaled\(\) failed: TypeError: .*weights"):
        open_model(f"{mine}:scaled")
    with pytest.raises(SpecError, match=r"returns a model, .*leave size out"):
        open_model(f"{mine}:scaled_network(size=8)")


def test_an_error_of_brittles_own_stays_what_it_is(mine):
    from brittle.errors import LabelError

    with pytest.raises(LabelError, match="no labels here"):
        open_model(f"{mine}:refuses")


def test_a_module_that_is_not_there():
    with pytest.raises(ModelError, match="no_such_module:load cannot be imported"):
        open_model("python:no_such_module:load")


def test_a_function_given_as_such():
    def bright(batch):
        return np.stack([batch.mean(axis=(1, 2, 3)), np.zeros(len(batch))], axis=1)

    model = open_model(bright, Settings(classes=("day", "night")))
    assert model.name.startswith("function:")
    assert model.name.endswith("bright")
    assert model.predict(pictures(3)).logits.shape == (3, 2)
    assert open_model(model) is model


def test_a_function_that_scales_in_place_does_no_harm():
    def scales(batch):
        batch //= 2
        return batch.mean(axis=(1, 2))

    batch = pictures(3)
    before = batch.copy()
    open_model(scales).predict(batch)
    assert np.array_equal(batch, before)


def test_a_torch_module_given_as_such_is_told_how():
    with pytest.raises(ModelError, match=r"Wrap it: brittle.models.torch_model\(network, size=224"):
        open_model(Tiny())


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (lambda _: "cat", "A model must give numbers, N x classes"),
        (lambda batch: np.zeros(len(batch)), r"gives logits of shape \(2,\) for 2 pictures"),
        (lambda _: None, r"gives logits of shape \(\)"),
        (lambda _: {"a": 1}, "must give numbers"),
        (lambda _: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_what_a_function_must_not_return(output, said):
    with pytest.raises(ModelError, match=said):
        open_model(output).predict(pictures(2))


def test_want_of_memory_in_a_function_is_said_as_such():
    with pytest.raises(OutOfMemoryError, match="has no memory for a batch of 2"):
        open_model(lambda batch: np.zeros((len(batch), 1 << 50))).predict(pictures(2))

    def hungry(batch):
        raise torch.OutOfMemoryError("out")

    with pytest.raises(OutOfMemoryError):
        open_model(hungry).predict(pictures(2))


@pytest.mark.parametrize(
    "settings",
    [{"device": "cuda"}, {"precision": "float16"}, {"features": True}, {"threads": 2}],
)
def test_settings_that_a_function_cannot_follow_are_refused(settings):
    name, value = next(iter(settings.items()))
    with pytest.raises(ModelError, match=f"cannot follow {name}={value}: a function decides"):
        open_model(lambda batch: batch, Settings(**settings))


def test_a_model_without_a_preparation_refuses_only_what_is_no_picture():
    model = open_model(lambda batch: batch)
    with pytest.raises(ImageError, match="H x W x 3"):
        model.prepare(np.zeros((3, 3), np.uint8))


def test_the_contract_is_abstract():
    assert Model.__abstractmethods__ == {"prepare", "predict"}
    assert Outputs(np.zeros((1, 1), np.float32)).features is None
    assert len(MEAN) == len(STD) == 3
