"""Classifiers of transformers', against its own processors and models."""

import numpy as np
import pytest
import torch
from PIL import Image

from brittle import labels
from brittle.errors import MissingExtraError, ModelError
from brittle.models import Settings, _hf, open_model
from tests.helpers.models import register_torchvision_ops
from tests.models.examples import SIDE, picture, write_processor, write_vit

register_torchvision_ops()

import transformers  # noqa: E402

SHAPES = [(40, 61), (61, 40), (17, 90), (9, 12)]


def theirs(folder, image):
    processor = transformers.AutoImageProcessor.from_pretrained(folder, backend="pil")
    network = transformers.AutoModelForImageClassification.from_pretrained(folder).eval()
    given = processor(images=Image.fromarray(image), return_tensors="pt")
    with torch.inference_mode():
        return given["pixel_values"].numpy()[0], network(**given).logits.numpy()


PROCESSORS = {
    "warp": ("ViT", {"size": {"height": SIDE, "width": SIDE}}),
    "bicubic": ("ViT", {"size": {"height": SIDE, "width": SIDE}, "resample": 3}),
    "unscaled": (
        "ViT",
        {"size": {"height": SIDE, "width": SIDE}, "do_rescale": False, "do_normalize": False},
    ),
    "minus one to one": (
        "ViT",
        {
            "size": {"height": SIDE, "width": SIDE},
            "rescale_factor": 1 / 127.5,
            "image_mean": [1.0] * 3,
            "image_std": [1.0] * 3,
        },
    ),
    "crop": (
        "CLIP",
        {"size": {"shortest_edge": 19}, "crop_size": {"height": SIDE, "width": SIDE}},
    ),
    "crop only": (
        "CLIP",
        {"do_resize": False, "crop_size": {"height": SIDE, "width": SIDE}},
    ),
    "share": ("ConvNext", {"size": {"shortest_edge": SIDE}, "crop_pct": 0.875}),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", PROCESSORS)
def test_pixels_and_logits_are_those_of_transformers(tmp_path, kind, shape):
    write_vit(tmp_path)
    name, options = PROCESSORS[kind]
    write_processor(tmp_path, name, **options)
    model = open_model(f"hf:{tmp_path}")
    image = picture(*shape)
    pixels, logits = theirs(tmp_path, image)
    prepared = model.prepare(image)
    facts = model.facts
    numbers = prepared.astype(np.float64) / 255 * facts.get("scale", 1)
    numbers = (numbers - facts["mean"]) / facts["std"]
    assert np.allclose(numbers.transpose(2, 0, 1), pixels, atol=1e-5)
    assert np.allclose(model.predict(prepared[None]).logits, logits, atol=1e-5)


def test_a_share_from_384_on_warps():
    from transformers.models.convnext.image_processing_pil_convnext import ConvNextImageProcessorPil

    processor = ConvNextImageProcessorPil(size={"shortest_edge": 384})
    prepared, _ = _hf.preprocessing(processor, "x")
    assert (prepared.mode, prepared.box, prepared.size) == ("squash", (384, 384), (384, 384))


def test_a_convolutional_network_and_its_features(tmp_path):
    config = transformers.ResNetConfig(
        embedding_size=4, hidden_sizes=[4, 8], depths=[1, 1], layer_type="basic", num_labels=3
    )
    transformers.ResNetForImageClassification(config).save_pretrained(tmp_path)
    write_processor(tmp_path, "ViT", size={"height": 32, "width": 32})
    image = picture(50, 40)
    model = open_model(f"hf:{tmp_path}", Settings(features=True))
    found = model.predict(model.prepare(image)[None])
    _, logits = theirs(tmp_path, image)
    assert np.allclose(found.logits, logits, atol=1e-5)
    assert found.features.shape == (1, 8)
    assert model.facts["network"] == "ResNetForImageClassification"


def test_its_own_names_are_taken(tmp_path):
    model = open_model(f"hf:{write_vit(tmp_path, names={0: 'cat', 1: 'dog', 2: 'fish'})}")
    assert model.classes == ("cat", "dog", "fish")
    assert model.facts["classes"] == "the model's own"


def test_placeholders_are_no_names(tmp_path):
    assert open_model(f"hf:{write_vit(tmp_path)}").classes is None


def test_twin_names_are_no_names(tmp_path):
    model = open_model(f"hf:{write_vit(tmp_path, names={0: 'crane', 1: 'crane'})}")
    assert model.classes is None
    assert model.facts["classes"] == "unknown, since the model's own names are not all different"


def imagenet():
    return [
        f"{said}, synonym {n}" for n, said in enumerate(labels.descriptions("imagenet").values())
    ]


def test_imagenets_names_become_wnids(tmp_path):
    names = imagenet()
    names[:90] = [f"other {n}" for n in range(90)]
    model = open_model(f"hf:{write_vit(tmp_path, names=dict(enumerate(names)))}")
    assert model.classes == labels.known("imagenet")
    assert model.facts["classes"] == "imagenet-1k, as 910 of its names say"


def test_imagenets_names_in_another_order_stay_what_they_are(tmp_path):
    names = imagenet()[::-1]
    model = open_model(f"hf:{write_vit(tmp_path, names=dict(enumerate(names)))}")
    assert model.classes == tuple(names)


def test_a_step_that_is_not_understood_is_refused_by_name(tmp_path):
    write_vit(tmp_path)
    write_processor(
        tmp_path,
        "ViT",
        size={"height": 16, "width": 16},
        do_pad=True,
        pad_size={"height": 20, "width": 20},
    )
    with pytest.raises(ModelError, match="has a step that brittle does not do, do_pad; wrap it"):
        open_model(f"hf:{tmp_path}")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": {"shortest_edge": 16}}, "gives pictures of changing size"),
        ({"size": {"shortest_edge": 16, "longest_edge": 20}}, "resizes to .*longest_edge"),
        ({"do_resize": False}, "gives pictures of changing size"),
    ],
)
def test_sizes_that_no_batch_has_are_refused(tmp_path, options, said):
    write_vit(tmp_path)
    write_processor(tmp_path, "ViT", **options)
    with pytest.raises(ModelError, match=said):
        open_model(f"hf:{tmp_path}")


def test_a_processor_that_does_more_than_it_says_is_refused():
    from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

    class Brighter(ViTImageProcessorPil):
        def rescale(self, image, scale, **_):
            return super().rescale(image, scale) + 0.01

    processor = Brighter(size={"height": 16, "width": 16})
    with pytest.raises(ModelError, match="Brighter does something that its parameters do not say"):
        _hf.preprocessing(processor, "x")


def test_a_folder_that_is_none_says_what_belongs_there(tmp_path):
    said = "transformers could not load .* The folder must hold what save_pretrained writes"
    with pytest.raises(ModelError, match=said):
        open_model(f"hf:{tmp_path}")


def test_without_the_hub_the_error_says_which_files_go_where(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    said = (
        r"could not load google/nothing-there \(.*\)\. Without a way to the hub, copy the files "
        r"of https://huggingface.co/google/nothing-there into a folder by other means and name"
    )
    with pytest.raises(ModelError, match=said):
        open_model("hf:google/nothing-there")


def test_code_of_a_folder_is_not_run(tmp_path):
    import json

    write_vit(tmp_path)
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    config = json.loads((tmp_path / "config.json").read_text())
    config["model_type"] = "mine"
    config["auto_map"] = {
        "AutoConfig": "mine.Config",
        "AutoModelForImageClassification": "mine.Model",
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="transformers could not load"):
        open_model(f"hf:{tmp_path}")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("cause", "error", "said"),
    [
        (
            ModuleNotFoundError("gone", name="gone"),
            MissingExtraError,
            "transformers needs gone. Ins",
        ),
        (RuntimeError("nms does not exist"), ModelError, r"cannot import AutoThing \(nms does not"),
    ],
)
def test_what_transformers_hides_is_said(monkeypatch, cause, error, said):
    class Library:
        __version__ = "1"

        def __getattr__(self, name):
            raise ModuleNotFoundError(f"Could not import module '{name}'") from cause

    monkeypatch.setattr(_hf, "need", lambda *_: Library())
    with pytest.raises(error, match=said):
        _hf.load("AutoThing", "x")


def test_the_library_that_is_missing_is_named(monkeypatch, tmp_path):
    import sys

    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[hf\]'"):
        open_model(f"hf:{tmp_path}")
