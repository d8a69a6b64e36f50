"""CLIP without training, against transformers' own."""

import numpy as np
import pytest
import torch
from PIL import Image

from brittle import labels
from brittle.errors import ModelError, SpecError
from brittle.models import Settings, open_model
from tests.helpers.models import register_torchvision_ops
from tests.models.examples import SIDE, picture, pictures, write_clip, write_vit

register_torchvision_ops()

import transformers  # noqa: E402

WORDS = ["a cat", "a big dog", "grass"]
CLASSES = ("n1", "n2", "n3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = write_clip(tmp_path_factory.mktemp("clip") / "clip")
    rows = zip(CLASSES, WORDS, strict=True)
    (root / "words.tsv").write_text("".join(f"{name}\t{said}\n" for name, said in rows))
    return root


def parts(folder):
    return (
        transformers.CLIPModel.from_pretrained(folder).eval(),
        transformers.AutoTokenizer.from_pretrained(folder),
        transformers.AutoImageProcessor.from_pretrained(folder, backend="pil"),
    )


def expected(folder, image, texts):
    network, tokenizer, processor = parts(folder)
    given = processor(images=Image.fromarray(image), return_tensors="pt")
    tokens = tokenizer(texts, padding=True, return_tensors="pt")
    with torch.inference_mode():
        return network(**given, **tokens).logits_per_image.numpy()


@pytest.mark.parametrize("shape", [(40, 61), (61, 40), (SIDE, SIDE)])
def test_logits_are_those_of_transformers(folder, shape):
    model = open_model(f'clip:{folder}(words="{folder}/words.tsv")')
    image = picture(*shape)
    found = model.predict(model.prepare(image)[None]).logits
    texts = [f"a photo of a {word}." for word in WORDS]
    assert np.allclose(found, expected(folder, image, texts), atol=1e-4)
    assert model.classes == CLASSES
    assert np.ptp(found) > 0.01


def test_prompts_are_averaged(folder, tmp_path):
    templates = ["a photo of a {}.", "{}", "art: {} and {}"]
    (tmp_path / "prompts.txt").write_text("\n".join(templates) + "\n\n")
    spec = f'clip:{folder}(words="{folder}/words.tsv", prompts="{tmp_path}/prompts.txt")'
    model = open_model(spec, Settings(features=True))
    assert model.facts["templates"] == templates
    found = model.predict(pictures(3))
    network, tokenizer, _ = parts(folder)
    rows = []
    with torch.inference_mode():
        for word in WORDS:
            texts = [t.replace("{}", word) for t in templates]
            seen = network.get_text_features(**tokenizer(texts, padding=True, return_tensors="pt"))
            seen = getattr(seen, "pooler_output", seen)
            mean = torch.nn.functional.normalize(seen, dim=1).mean(0)
            rows.append(mean / mean.norm())
    words = torch.stack(rows).numpy()
    scale = network.logit_scale.detach().exp().item()
    assert np.allclose(np.linalg.norm(found.features, axis=1), 1, atol=1e-5)
    assert np.allclose(found.logits, scale * found.features @ words.T, atol=1e-4)


def test_imagenets_classes_are_called_by_their_words(folder):
    classes = labels.known("imagenet")[:3]
    model = open_model(f"clip:{folder}", Settings(classes=classes))
    assert model.facts["words_from"] == "ImageNet's names"
    image = picture(30, 30)
    words = list(labels.descriptions("imagenet").values())[:3]
    found = model.predict(model.prepare(image)[None]).logits
    texts = [f"a photo of a {word}." for word in words]
    assert np.allclose(found, expected(folder, image, texts), atol=1e-4)


def test_other_classes_are_called_by_their_names(folder):
    model = open_model(f"clip:{folder}", Settings(classes=("red_fox", "owl")))
    assert model.facts["words_from"] == "the classes' own names"
    image = picture(30, 30)
    found = model.predict(model.prepare(image)[None]).logits
    texts = ["a photo of a red fox.", "a photo of a owl."]
    assert np.allclose(found, expected(folder, image, texts), atol=1e-4)


@pytest.mark.parametrize("precision", ["bfloat16"])
def test_lower_precision_is_near(folder, precision):
    spec = f'clip:{folder}(words="{folder}/words.tsv")'
    exact = open_model(spec).predict(pictures(3)).logits
    lower = open_model(spec, Settings(precision=precision)).predict(pictures(3)).logits
    assert lower.dtype == np.float32
    assert not np.array_equal(exact, lower)
    assert np.allclose(exact, lower, atol=0.3)


def test_what_cannot_be_opened_says_why(folder, tmp_path):
    with pytest.raises(ModelError, match="knows no classes by itself; name them with --classes"):
        open_model(f"clip:{folder}")
    (tmp_path / "prompts.txt").write_text("a photo\n")
    with pytest.raises(SpecError, match=r"must hold a prompt a line with \{\} .*got 'a photo'"):
        open_model(f'clip:{folder}(prompts="{tmp_path}/prompts.txt")', Settings(classes=("a",)))
    spec = f'clip:{folder}(words="{folder}/words.tsv")'
    with pytest.raises(SpecError, match="says nothing of the class n9; add its line"):
        open_model(spec, Settings(classes=("n1", "n9")))
    (tmp_path / "twice.tsv").write_text("a\tb\na\tc\n")
    with pytest.raises(SpecError, match=r"must name every class once; see 'a\\tc'"):
        open_model(f'clip:{folder}(words="{tmp_path}/twice.tsv")')
    other = write_vit(tmp_path / "vit")
    with pytest.raises(ModelError, match="is of the type vit; clip: takes CLIP models only"):
        open_model(f"clip:{other}", Settings(classes=("a", "b")))
