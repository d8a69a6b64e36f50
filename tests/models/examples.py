"""A small real model of every kind, for the contract test and its neighbours."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import safetensors.torch
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from brittle.types import UInt8
from tests.helpers.models import register_torchvision_ops

SIDE = 16
CLASSES = 5

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)

NUMBERS = "mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]"


class Tiny(nn.Module):
    """A convolution, a normalisation, a mean, a linear layer."""

    def __init__(self, classes: int = CLASSES, seed: int = 0) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
            self.norm = nn.BatchNorm2d(8)
            self.fc = nn.Linear(8, classes)
            nn.init.normal_(self.norm.running_mean, 0, 0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.norm(self.conv(x)))
        return self.fc(x.mean(dim=(2, 3)))


def pictures(count: int, side: int = SIDE, seed: int = 0) -> UInt8:
    return np.random.default_rng(seed).integers(0, 256, (count, side, side, 3), dtype=np.uint8)


def picture(height: int, width: int, seed: int = 0) -> UInt8:
    """A picture with smooth parts and sharp ones, so that ways of resizing differ."""
    y, x = np.mgrid[:height, :width]
    waves = 90 * np.sin(x / 7)[..., None] + 60 * np.cos(y / 11)[..., None] + [100, 120, 140]
    noise = np.random.default_rng(seed).integers(-40, 40, (height, width, 3))
    return np.clip(waves + noise, 0, 255).astype(np.uint8)


def by_hand(network: nn.Module, batch: UInt8, mean=MEAN, std=STD) -> np.ndarray:
    """What a network gives by the formula, without anything of brittle's."""
    x = torch.tensor(batch).permute(0, 3, 1, 2).float() / 255
    x = (x - torch.tensor(mean).view(1, 3, 1, 1)) / torch.tensor(std).view(1, 3, 1, 1)
    with torch.inference_mode():
        found = network.eval()(x)
    return getattr(found, "logits", found).numpy()


def write_onnx(
    path: Path,
    network: Tiny,
    *,
    batch: int | str = "n",
    side: int | str = SIDE,
    nhwc: bool = False,
    softmax: bool = False,
    features: bool = False,
    bytes_: bool = False,
    half: bool = False,
    external: str | None = None,
) -> Path:
    """Write `Tiny` node by node, in the forms in which networks are met."""
    kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    number = np.float16 if half else np.float32
    given = TensorProto.UINT8 if bytes_ else kind
    shape = [batch, side, side, 3] if nhwc else [batch, 3, side, side]
    nodes, at = [], "x"
    if bytes_:
        nodes.append(helper.make_node("Cast", [at], ["float"], to=kind))
        at = "float"
    if nhwc:
        nodes.append(helper.make_node("Transpose", [at], ["nchw"], perm=[0, 3, 1, 2]))
        at = "nchw"
    state = {name: value.numpy() for name, value in network.state_dict().items()}
    names = ["conv.weight", "conv.bias"]
    nodes.append(helper.make_node("Conv", [at, *names], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]))
    names += ["norm.weight", "norm.bias", "norm.running_mean", "norm.running_var"]
    nodes.append(helper.make_node("BatchNormalization", ["c", *names[2:]], ["b"]))
    nodes.append(helper.make_node("Relu", ["b"], ["r"]))
    nodes.append(helper.make_node("GlobalAveragePool", ["r"], ["g"]))
    nodes.append(helper.make_node("Flatten", ["g"], ["seen"]))
    names += ["fc.weight", "fc.bias"]
    last = "raw" if softmax else "y"
    nodes.append(helper.make_node("Gemm", ["seen", "fc.weight", "fc.bias"], [last], transB=1))
    if softmax:
        nodes.append(helper.make_node("Softmax", ["raw"], ["y"], axis=1))
    out = [helper.make_tensor_value_info("y", kind, [batch, CLASSES])]
    if features:
        out.append(helper.make_tensor_value_info("seen", kind, [batch, 8]))
    weights = [numpy_helper.from_array(state[name].astype(number), name) for name in names]
    graph = helper.make_graph(
        nodes, "tiny", [helper.make_tensor_value_info("x", given, shape)], out, weights
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    if external is not None:
        onnx.save_model(
            model, path, save_as_external_data=True, location=external, size_threshold=0
        )
    else:
        onnx.save_model(model, path)
    return path


def write_program(path: Path, *, batch: int | None = None, side: int | None = SIDE) -> Path:
    dims = {}
    if batch is None:
        dims[0] = torch.export.Dim("n", min=1, max=1024)
    if side is None:
        dims |= {2: torch.export.Dim("h", min=8), 3: torch.export.Dim("w", min=8)}
    example = torch.zeros(batch or 3, 3, side or 24, side or 20)
    shapes = {"x": dims} if dims else None
    torch.export.save(torch.export.export(Tiny().eval(), (example,), dynamic_shapes=shapes), path)
    return path


def write_script(path: Path) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.jit.save(torch.jit.trace(Tiny().eval(), torch.zeros(1, 3, SIDE, SIDE)), path)
    return path


def write_vit(
    folder: Path, *, names: dict[int, str] | None = None, side: int = SIDE, **processor: object
) -> Path:
    """Write a vision transformer of a few hundred numbers, with the processor of its kind."""
    register_torchvision_ops()
    from transformers import ViTConfig, ViTForImageClassification

    named = {"id2label": names} if names else {"num_labels": CLASSES}
    config = ViTConfig(
        hidden_size=12,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        image_size=side,
        patch_size=8,
        **named,
    )
    torch.manual_seed(0)
    ViTForImageClassification(config).save_pretrained(folder)
    write_processor(folder, "ViT", size={"height": side, "width": side}, **processor)
    return folder


def write_processor(folder: Path, kind: str, **options: object) -> None:
    import importlib

    module = importlib.import_module(
        f"transformers.models.{kind.lower()}.image_processing_pil_{kind.lower()}"
    )
    getattr(module, f"{kind}ImageProcessorPil")(**options).save_pretrained(folder)


def write_clip(folder: Path) -> Path:
    """Write a CLIP of a few thousand numbers, with a tokenizer that knows letters only."""
    register_torchvision_ops()
    from transformers import CLIPConfig, CLIPModel, CLIPTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    signs = [chr(code) for code in range(33, 127)]
    tokens = [*signs, *(f"{sign}</w>" for sign in signs), "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = CLIPTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=40
    )
    tokenizer.save_pretrained(folder)
    small = {
        "hidden_size": 12,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "projection_dim": 6,
    }
    end = vocabulary["<|endoftext|>"]
    config = CLIPConfig(
        text_config={
            **small,
            "vocab_size": len(tokens),
            "max_position_embeddings": 40,
            "bos_token_id": end - 1,
            "eos_token_id": end,
            "pad_token_id": end,
        },
        vision_config={**small, "image_size": SIDE, "patch_size": 8},
        projection_dim=6,
    )
    torch.manual_seed(0)
    CLIPModel(config).save_pretrained(folder)
    crop = {"height": SIDE, "width": SIDE}
    write_processor(folder, "CLIP", size={"shortest_edge": SIDE}, crop_size=crop)
    return folder


MINE = """
import numpy as np
from brittle.models import torch_model
from tests.models.examples import MEAN, STD, Tiny


def network():
    return torch_model(Tiny(), size=16, mean=MEAN, std=STD, classes=list("abcde"))


def function():
    return lambda batch: batch.reshape(len(batch), -1)[:, :5]
"""


def _clip(root: Path) -> str:
    write_clip(root / "clip")
    (root / "words.tsv").write_text("n1\ta cat\nn2\ta dog\nn3\tgrass\n")
    return f'clip:{root / "clip"}(words="{root / "words.tsv"}")'


def _linear(root: Path) -> str:
    rng = np.random.default_rng(0)
    np.savez(
        root / "toy.npz",
        w=rng.standard_normal((SIDE * SIDE * 3, 4)),
        b=rng.standard_normal(4),
        classes=np.array(["ant", "bee", "cat", "dog"]),
    )
    return f"linear:{root / 'toy.npz'}"


def _onnx(root: Path) -> str:
    return f"onnx:{write_onnx(root / 'tiny.onnx', Tiny().eval())}({NUMBERS})"


def _python(root: Path) -> str:
    (root / "mine_for_the_contract.py").write_text(MINE)
    return "python:mine_for_the_contract:network"


def _torch(root: Path) -> str:
    path = root / "tiny.safetensors"
    safetensors.torch.save_file(Tiny().state_dict(), path)
    return (
        f'torch:{path}(architecture="tests.models.examples:Tiny", size={SIDE}, crop_pct=0.8, '
        f"{NUMBERS})"
    )


def _timm(root: Path) -> str:
    register_torchvision_ops()
    return "timm:test_resnet(weights=random, classes=7)"


def _torchvision(root: Path) -> str:
    register_torchvision_ops()
    return "torchvision:mobilenet_v3_small(weights=random, classes=7)"


BUILDERS: dict[str, Callable[[Path], str]] = {
    "clip": _clip,
    "hf": lambda root: f"hf:{write_vit(root / 'vit')}",
    "linear": _linear,
    "onnx": _onnx,
    "package": lambda _: "package:efficientnet-lite0",
    "python": _python,
    "timm": _timm,
    "torch": _torch,
    "torchvision": _torchvision,
}
"""Kind -> what writes a small one into a folder and returns its spec."""
