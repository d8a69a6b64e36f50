"""Networks of timm's, against timm itself."""

import numpy as np
import pytest
import torch
from PIL import Image

from brittle import labels
from brittle.errors import ModelError, SpecError
from brittle.models import Settings, open_model
from tests.helpers.models import register_torchvision_ops
from tests.models.examples import picture

register_torchvision_ops()

import timm  # noqa: E402
from timm.data import (  # noqa: E402
    create_transform,
    resolve_data_config,
    resolve_model_data_config,
)

from brittle.models.timm import _preparation  # noqa: E402

# Cropped in the middle, squashed, at 0.9 and at 1.0, bilinear and bicubic, means of a half too.
NAMES = ["test_resnet", "test_vit", "resnet18", "convnextv2_atto", "mobilenetv3_small_050"]


@pytest.mark.parametrize("name", NAMES)
def test_pixels_and_logits_are_those_of_timm(name):
    # In the libraries' own order of memory the bits are theirs; the usual one is faster.
    ours = open_model(f"timm:{name}(weights=random, seed=3)", Settings(channels_last=False))
    usual = open_model(f"timm:{name}(weights=random, seed=3)")
    torch.manual_seed(3)
    theirs = timm.create_model(name).eval()
    transform = create_transform(**resolve_model_data_config(theirs), is_training=False)
    for shape in ((300, 401), (500, 200), (90, 100)):
        image = picture(*shape)
        pixels = Image.fromarray(image)
        for step in transform.transforms[:-2]:
            pixels = step(pixels)
        prepared = ours.prepare(image)
        assert np.array_equal(prepared, np.asarray(pixels))
        with torch.inference_mode():
            expected = theirs(transform(Image.fromarray(image))[None]).numpy()
        assert np.array_equal(ours.predict(prepared[None]).logits, expected)
        np.testing.assert_allclose(usual.predict(prepared[None]).logits, expected, atol=1e-5)


def configurations():
    """Every way of preparing that timm's published weights have, by the first that has it."""
    found = {}
    for name in timm.list_models(pretrained=True):
        config = resolve_data_config(pretrained_cfg=timm.get_pretrained_cfg(name).to_dict())
        height, width = config["input_size"][1:]
        key = (height == width, *(config[k] for k in ("crop_mode", "interpolation", "crop_pct")))
        if config["input_size"][0] == 3 and height <= 400:
            found.setdefault(key, (name, config))
    return [pytest.param(config, id=name) for name, config in found.values()]


@pytest.mark.parametrize("config", configurations())
def test_every_published_configuration_is_followed(config):
    prepared = _preparation(config, "x")
    transform = create_transform(**config, is_training=False)
    for shape in ((90, 200), (231, 130)):
        image = picture(*shape)
        pixels = Image.fromarray(image)
        for step in transform.transforms[:-2]:
            pixels = step(pixels)
        assert np.array_equal(prepared(image), np.asarray(pixels))


def test_configurations_squash_and_crop():
    modes = {param.values[0]["crop_mode"] for param in configurations()}
    assert modes >= {"center", "squash"}


def test_the_size_of_the_test_is_taken_by_name():
    assert open_model("timm:test_resnet(weights=random)").size == (160, 160)
    larger = open_model("timm:resnet18(weights=random, test_size=true)")
    assert larger.size == (288, 288)
    assert larger.facts["crop_pct"] == 1.0


def test_a_local_checkpoint_is_loaded(tmp_path):
    from safetensors.torch import save_file

    network = timm.create_model("test_resnet", num_classes=4)
    state = network.state_dict()
    save_file(state, tmp_path / "plain.safetensors")
    torch.save({"state_dict": {f"module.{k}": v for k, v in state.items()}}, tmp_path / "ddp.pth")
    torch.save({"model": state, "model_ema": state, "epoch": 3}, tmp_path / "two.pth")
    specs = [
        f'timm:test_resnet(weights="{tmp_path}/plain.safetensors", classes=4)',
        f'timm:test_resnet(weights="{tmp_path}/ddp.pth", classes=4)',
        f'timm:test_resnet(weights="{tmp_path}/two.pth", key=model, classes=4)',
    ]
    opened = [open_model(spec) for spec in specs]
    assert len({model.digest for model in opened}) == 1
    batch = picture(160, 160)[None]
    x = torch.tensor(batch).permute(0, 3, 1, 2).float() / 255
    mean, std = (torch.tensor(opened[0].facts[k]).view(1, 3, 1, 1) for k in ("mean", "std"))
    with torch.inference_mode():
        expected = network.eval()((x - mean) / std).numpy()
    for model in opened:
        assert np.allclose(model.predict(batch).logits, expected, atol=1e-6)
        assert model.classes is None
    with pytest.raises(SpecError, match="holds several state dicts; say which with key=: model, "):
        open_model(f'timm:test_resnet(weights="{tmp_path}/two.pth", classes=4)')
    with pytest.raises(SpecError, match="has no entry 'net' that is a state dict; it has model"):
        open_model(f'timm:test_resnet(weights="{tmp_path}/two.pth", key=net, classes=4)')
    with pytest.raises(ModelError, match=r"do not fit the architecture: size mismatch.*classes="):
        open_model(f'timm:test_resnet(weights="{tmp_path}/plain.safetensors")')
    with pytest.raises(ModelError, match=r"are missing .*belong to nothing"):
        open_model(f'timm:test_vit(weights="{tmp_path}/plain.safetensors", classes=4)')


def test_random_weights_are_those_of_the_seed():
    first, again, other = (
        open_model(f"timm:test_resnet(weights=random, seed={seed})") for seed in (1, 1, 2)
    )
    assert first.digest == again.digest != other.digest


def test_classes_are_imagenets_where_the_outputs_say_so():
    model = open_model("timm:test_resnet(weights=random)")
    assert model.classes == labels.known("imagenet")
    assert model.facts["classes"] == "imagenet-1k, as its 1000 outputs say"
    assert open_model("timm:test_resnet(weights=random, classes=10)").classes is None


def test_features_are_what_the_head_sees():
    model = open_model("timm:resnet18(weights=random, classes=9)", Settings(features=True))
    batch = np.stack([picture(224, 224, seed=n) for n in range(2)])
    found = model.predict(batch)
    torch.manual_seed(0)
    network = timm.create_model("resnet18", num_classes=9).eval()
    mean, std = (torch.tensor(model.facts[k]).view(1, 3, 1, 1) for k in ("mean", "std"))
    x = (torch.tensor(batch).permute(0, 3, 1, 2).float() / 255 - mean) / std
    with torch.inference_mode():
        expected = network.forward_head(network.forward_features(x), pre_logits=True).numpy()
    assert found.features.shape == (2, 512)
    assert np.allclose(found.features, expected, atol=1e-6)


def test_without_the_hub_the_error_says_which_file_goes_where(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    said = (
        r"could not get the weights of resnet18 \(.*\)\. Without a way to the hub, copy "
        r"https://huggingface.co/timm/resnet18\S* \(model.safetensors\) here by other means and "
        r"give timm:resnet18\(weights=FILE\); weights=random takes random ones"
    )
    with pytest.raises(ModelError, match=said):
        open_model("timm:resnet18")


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("timm:resnet81", SpecError, "no model of timm's 'resnet81'. Did you mean resnet"),
        ("timm:resnet18.nonsense", SpecError, "nonsense"),
        ("timm:resnet18(classes=10)", SpecError, "classes needs weights=random or weights=FILE"),
        ("timm:resnet18(weights=gone.pth)", ModelError, "there is no file gone.pth"),
        (
            "timm:resnet18(weights=random, classes=-3)",
            SpecError,
            "classes must be at least 1; got -3",
        ),
    ],
)
def test_what_cannot_be_opened_says_why(spec, error, said):
    with pytest.raises(error, match=said):
        open_model(spec)
