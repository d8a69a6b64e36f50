"""Classifiers of torchvision's, against torchvision itself."""

import sys

import numpy as np
import pytest
import torch
from PIL import Image

from brittle import labels
from brittle.errors import MissingExtraError, ModelError, SpecError
from brittle.models import Settings, open_model
from tests.helpers.models import register_torchvision_ops
from tests.models.examples import picture

register_torchvision_ops()

from torchvision import models  # noqa: E402


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("mobilenet_v3_small", "DEFAULT"),
        ("resnet18", "DEFAULT"),
    ],
)
def test_pixels_and_logits_are_those_of_torchvision(name, weights):
    # In the libraries' own order of memory the bits are theirs; the usual one is faster.
    ours = open_model(f"torchvision:{name}(weights=random, seed=5)", Settings(channels_last=False))
    usual = open_model(f"torchvision:{name}(weights=random, seed=5)")
    torch.manual_seed(5)
    theirs = models.get_model(name, weights=None).eval()
    preset = models.get_model_weights(name)[weights].transforms()
    for shape in ((300, 401), (500, 200), (90, 100)):
        image = picture(*shape)
        prepared = ours.prepare(image)
        with torch.inference_mode():
            expected = theirs(preset(Image.fromarray(image))[None]).numpy()
        assert np.array_equal(ours.predict(prepared[None]).logits, expected)
        np.testing.assert_allclose(usual.predict(prepared[None]).logits, expected, atol=1e-5)


@pytest.mark.parametrize("name", models.list_models(module=models))
def test_every_preset_is_understood(name):
    """Numbers of the preset itself, on pictures: every set of weights of every classifier."""
    from brittle.models._prepare import Normal
    from brittle.models.torchvision import _preset

    for weights in models.get_model_weights(name):
        prepared, normalised = _preset(weights, name)
        image = picture(120, 90)
        theirs = weights.transforms()(Image.fromarray(image)).numpy().transpose(1, 2, 0)
        assert isinstance(normalised, Normal)
        ours = prepared(image) / 255
        ours = (ours - np.array(normalised.mean)) / np.array(normalised.std)
        assert np.allclose(ours, theirs, atol=1e-5)
        break


def test_another_set_of_weights_has_another_preset():
    from brittle.models.torchvision import _preset

    first, second = models.get_model_weights("resnet50")
    assert _preset(first, "x")[0].box == (256, 256)
    assert _preset(second, "x")[0].box == (232, 232)


def test_the_order_of_the_categories_is_imagenets():
    """Torchvision names classes by words: they stand in the order of the wnids."""
    words = models.get_model_weights("resnet18").DEFAULT.meta["categories"]
    own = [said.partition(",")[0] for said in labels.descriptions("imagenet").values()]
    alike = sum(a.lower() == b.lower() for a, b in zip(words, own, strict=True))
    assert alike > 850
    model = open_model("torchvision:squeezenet1_1(weights=random)")
    assert model.classes == labels.known("imagenet")
    assert model.facts["preset"] == "SqueezeNet1_1_Weights.IMAGENET1K_V1"


def test_a_local_checkpoint_is_loaded(tmp_path):
    network = models.squeezenet1_1(weights=None, num_classes=4)
    torch.save(network.state_dict(), tmp_path / "mine.pth")
    model = open_model(f'torchvision:squeezenet1_1(weights="{tmp_path}/mine.pth", classes=4)')
    assert model.facts["weights"] == "mine.pth"
    assert model.classes is None
    assert model.predict(picture(224, 224)[None]).logits.shape == (1, 4)


def test_what_changes_its_input_does_so_as_with_its_published_weights():
    from brittle.models._networks import torchvision_network

    assert torchvision_network("googlenet", classes=3).transform_input is True


def test_features_that_cannot_be_had_are_refused():
    with pytest.raises(ModelError, match="SqueezeNet has no linear layer, so its features cannot"):
        open_model("torchvision:squeezenet1_1(weights=random)", Settings(features=True))


def test_without_the_network_the_error_says_which_file_goes_where(monkeypatch, tmp_path):
    import urllib.error

    def fail(*_, **__):
        raise urllib.error.URLError("no way out")

    monkeypatch.setattr(torch.hub, "urlopen", fail)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    said = (
        r"could not get the weights of resnet18 \(URLError\)\. Put https://download.pytorch.org/"
        rf"models/resnet18-f37072fd.pth into {tmp_path}/hub/checkpoints, or give "
        r"torchvision:resnet18\(weights=FILE\)"
    )
    with pytest.raises(ModelError, match=said):
        open_model("torchvision:resnet18(weights=IMAGENET1K_V1)")


def test_a_downloaded_pickle_cannot_run_code(monkeypatch, tmp_path):
    """The library itself loads with weights_only=False; brittle does not let it."""
    import pickle

    class Evil:
        def __reduce__(self):
            return (tmp_path.joinpath("ran").write_text, ("oh",))

    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    torch.save({"a": Evil()}, folder / "resnet18-f37072fd.pth", pickle_module=pickle)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    with pytest.raises(ModelError, match="could not get the weights of resnet18"):
        open_model("torchvision:resnet18")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("torchvision:resnet81", SpecError, "no classifier of torchvision's 'resnet81'"),
        ("torchvision:deeplabv3_resnet50", SpecError, "no classifier of torchvision's"),
        ("torchvision:resnet50(weights=IMAGENET1K_V3)", SpecError, "Did you mean IMAGENET1K_V2"),
        ("torchvision:resnet50(weights=gone.pth)", ModelError, "there is no file gone.pth"),
        ("torchvision:resnet50(classes=3)", SpecError, "classes needs weights=random or"),
        (
            "torchvision:resnet50(weights=random, classes=-2)",
            SpecError,
            "classes must be at least 1; got -2",
        ),
    ],
)
def test_what_cannot_be_opened_says_why(spec, error, said):
    with pytest.raises(error, match=said):
        open_model(spec)


def test_a_library_that_is_not_there_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "torchvision.models", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[torchvision\]'"):
        open_model("torchvision:resnet18")


def test_a_library_that_does_not_fit_says_so(monkeypatch):
    from brittle.models import _extras

    def broken(name):
        raise RuntimeError("operator torchvision::nms does not exist")

    monkeypatch.setattr(_extras.importlib, "import_module", broken)
    said = r"torchvision is installed but cannot be imported \(operator torchvision::nms does not"
    with pytest.raises(ModelError, match=said):
        _extras.need("torchvision.models", "torchvision")
