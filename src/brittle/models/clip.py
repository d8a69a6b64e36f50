"""CLIP without training: the class whose words lie nearest to the picture.

Formula: logits = scale * cosine(picture, words), where the words of a class are the mean of the
normalised embeddings of its prompts, normalised again.
Reference: Radford et al., ICML 2021, arXiv:2103.00020, section 3.1.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from brittle import labels
from brittle.errors import ModelError, SpecError
from brittle.models import _hf
from brittle.models._digest import of_state
from brittle.models._opened import Opened
from brittle.models._weights import existing
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value

TEMPLATE = "a photo of a {}."

TEXTS = 256
"""Prompts embedded at a time."""


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    from brittle.models import _torch

    name = str(Spec(f"clip:{target}", params))
    templates = _templates(params, name)
    classes, words, said = _words(params, settings, name)
    processor = _hf.load("AutoImageProcessor", target, backend="pil")
    prepared, normalised = _hf.preprocessing(processor, name)
    config = _hf.load("AutoConfig", target)
    if config.model_type != "clip":
        raise ModelError(
            f"{name} is of the type {config.model_type}; clip: takes CLIP models only."
        )
    network = _hf.load("CLIPModel", target, dtype=_torch.torch.float32)
    tokenizer = _hf.load("AutoTokenizer", target)
    digest = of_state(network.state_dict())
    device = _torch.choose_device(settings.device)
    network = _torch.place(network, device, settings)
    call = Nearest(network, _embed(network, tokenizer, templates, words, device), settings)
    count = sum(parameter.numel() for parameter in network.parameters())
    return Opened(
        name,
        _torch.Runner(call, device=device, normal=normalised, settings=settings),
        preparation=prepared,
        classes=classes,
        digest=digest,
        facts={
            **prepared.facts(),
            **normalised.facts(),
            **_torch.facts(device, settings, parameters=count),
            **_hf.versions(),
            "processor": type(processor).__name__,
            "templates": templates,
            "words": hashlib.sha256("\n".join(words).encode()).hexdigest(),
            "words_from": said,
            "config": _hf.config_digest(network.config),
            "classes": "given",
        },
    )


class Nearest:
    """Compares the embedding of a picture with those of the classes."""

    def __init__(self, network: Any, words: Any, settings: Settings) -> None:
        """Take normalised embeddings, classes x D."""
        self._network = network
        self._words = words
        self._features = settings.features

    def __call__(self, x: Any) -> tuple[Any, Any]:
        """Return logits, and the normalised embeddings of the pictures as features."""
        from brittle.models._torch import torch

        seen = _unit(_pooled(self._network.get_image_features(pixel_values=x)).float())
        # The comparison is cheap, and too fine for half precision.
        with torch.autocast(x.device.type, enabled=False):
            logits = self._network.logit_scale.exp().float() * (seen @ self._words.T)
        return logits, seen if self._features else None


def _embed(
    network: Any, tokenizer: Any, templates: Sequence[str], words: Sequence[str], device: Any
) -> Any:
    """Return one normalised embedding a class, classes x D, in float32."""
    from brittle.models._torch import torch

    texts = [template.replace("{}", word) for word in words for template in templates]
    found = []
    with torch.inference_mode():
        for first in range(0, len(texts), TEXTS):
            tokens = tokenizer(
                texts[first : first + TEXTS], padding=True, truncation=True, return_tensors="pt"
            ).to(device)
            given = {key: tokens[key] for key in ("input_ids", "attention_mask")}
            found.append(_unit(_pooled(network.get_text_features(**given)).float()))
        every = torch.cat(found).reshape(len(words), len(templates), -1)
        return _unit(every.mean(dim=1))


def _unit(x: Any) -> Any:
    return x / x.norm(dim=-1, keepdim=True)


def _pooled(found: Any) -> Any:
    """Later versions of transformers return an object that holds the embedding."""
    return getattr(found, "pooler_output", found)


def _templates(params: Mapping[str, Value], name: str) -> list[str]:
    if "prompts" not in params:
        return [TEMPLATE]
    path = existing(str(params["prompts"]), what=name)
    lines = [line.strip() for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
    wrong = [line for line in lines if "{}" not in line]
    if not lines or wrong:
        raise SpecError(
            f"{name}: {path} must hold a prompt a line with {{}} for the class, as in "
            f"'{TEMPLATE}'; got {(wrong or ['nothing'])[0]!r}."
        )
    return lines


def _words(
    params: Mapping[str, Value], settings: Settings, name: str
) -> tuple[tuple[str, ...], list[str], str]:
    """Return the classes, what a person calls them, and where that is from."""
    given: dict[str, str] = {}
    if "words" in params:
        path = existing(str(params["words"]), what=name)
        for line in path.read_text("utf-8-sig").rstrip().splitlines():
            key, _, said = line.partition("\t")
            if not key.strip() or key.strip() in given:
                raise SpecError(f"{name}: {path} must name every class once; see {line!r}.")
            given[key.strip()] = said.strip() or key.strip()
    classes = settings.classes or tuple(given) or None
    if classes is None:
        raise ModelError(
            f"{name} knows no classes by itself; name them with --classes imagenet (or another "
            f"list), or with words=FILE of lines 'name<TAB>words'."
        )
    known = labels.descriptions("imagenet")
    if given:
        lost = [key for key in classes if key not in given]
        if lost:
            raise SpecError(f"{name}: words= says nothing of the class {lost[0]}; add its line.")
        return classes, [given[key] for key in classes], str(params["words"])
    if all(key in known for key in classes):
        return classes, [known[key] for key in classes], "ImageNet's names"
    return classes, [key.replace("_", " ") for key in classes], "the classes' own names"


PART = Kind(
    about="CLIP without training: OWNER/NAME or a folder, with --classes; prompts=FILE, words=FILE",
    open=_open,
    places=("target", "prompts", "words"),
    params={"prompts": str, "words": str},
    extra="hf",
)
