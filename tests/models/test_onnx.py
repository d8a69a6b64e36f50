"""ONNX files, against the torch networks that they hold."""

import builtins
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper

from brittle.errors import MissingExtraError, ModelError, OutOfMemoryError, SpecError
from brittle.models import Settings, open_model
from brittle.models._digest import of_files
from brittle.models._onnx_files import weight_files
from tests.models.examples import NUMBERS, Tiny, by_hand, picture, pictures, write_onnx

BATCH = pictures(5)
EXPECTED = by_hand(Tiny(), BATCH)


def written(path, **options):
    return write_onnx(path / "net.onnx", Tiny().eval(), **options)


def test_it_gives_what_the_network_gives(tmp_path):
    model = open_model(f"onnx:{written(tmp_path)}({NUMBERS}, crop_pct=0.8)")
    assert np.allclose(model.predict(BATCH).logits, EXPECTED, atol=1e-5)
    assert model.size == (16, 16)
    assert model.facts["resize"] == [20, 20]
    assert model.facts["provider"] == "CPUExecutionProvider"
    assert model.facts["device"] == "cpu"
    assert model.facts["onnxruntime"] == onnxruntime.__version__


@pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning")
def test_an_export_of_torch_gives_what_the_network_gives(tmp_path):
    """Written by torch's own exporter, with a free number of pictures."""
    path = tmp_path / "net.onnx"
    program = torch.onnx.export(
        Tiny().eval(),
        (torch.zeros(2, 3, 16, 16),),
        dynamo=True,
        verbose=False,
        dynamic_shapes=({0: torch.export.Dim("n", min=1, max=512)},),
    )
    program.save(path, external_data=True)
    model = open_model(f"onnx:{path}({NUMBERS})")
    assert np.allclose(model.predict(BATCH).logits, EXPECTED, atol=1e-5)
    assert len(weight_files(path)) == 2


@pytest.mark.parametrize("batch", [1, 2, 5, 8])
def test_a_fixed_number_of_pictures_is_filled_up(tmp_path, batch):
    model = open_model(f"onnx:{written(tmp_path, batch=batch)}({NUMBERS})")
    assert np.allclose(model.predict(BATCH).logits, EXPECTED, atol=1e-5)
    assert model.facts["batch"] == batch


def test_any_size_is_taken_where_the_file_says_none(tmp_path):
    path = written(tmp_path, side="side")
    model = open_model(f"onnx:{path}({NUMBERS})")
    assert model.size is None
    large = pictures(3, 40)
    assert np.allclose(model.predict(large).logits, by_hand(Tiny(), large), atol=1e-5)
    image = picture(33, 21)
    assert model.prepare(image) is image
    assert open_model(f"onnx:{path}({NUMBERS}, size=24, resize=32)").size == (24, 24)


def test_the_layout_is_read_or_given(tmp_path):
    path = written(tmp_path, nhwc=True)
    model = open_model(f"onnx:{path}({NUMBERS})")
    assert model.facts["layout"] == "NHWC"
    assert np.allclose(model.predict(BATCH).logits, EXPECTED, atol=1e-5)
    with pytest.raises(ModelError, match="is not 3 colours as NCHW; give layout=NCHW or layout="):
        open_model(f"onnx:{path}({NUMBERS}, layout=NCHW)")
    with pytest.raises(SpecError, match=r"no layout 'NCWH'. Did you mean NCHW"):
        open_model(f"onnx:{path}({NUMBERS}, layout=NCWH)")


def test_probabilities_become_logarithms(tmp_path):
    path = written(tmp_path, softmax=True)
    found = open_model(f"onnx:{path}({NUMBERS}, gives=probabilities)").predict(BATCH).logits
    assert np.allclose(found - EXPECTED, (found - EXPECTED)[:, :1], atol=1e-4)
    plain = written(tmp_path / "plain")
    with pytest.raises(ModelError, match="is said to give probabilities, but a row sums"):
        open_model(f"onnx:{plain}({NUMBERS}, gives=probabilities)").predict(BATCH)


def test_several_outputs_are_told_apart_by_name(tmp_path):
    path = written(tmp_path, features=True)
    with pytest.raises(SpecError, match="has 2 outputs, y, seen; say which with output=NAME"):
        open_model(f"onnx:{path}({NUMBERS})")
    with pytest.raises(SpecError, match="no output 'z'"):
        open_model(f"onnx:{path}({NUMBERS}, output=z)")
    found = open_model(
        f"onnx:{path}({NUMBERS}, output=y, features=seen)", Settings(features=True)
    ).predict(BATCH)
    assert np.allclose(found.logits, EXPECTED, atol=1e-5)
    network = Tiny()
    weight, bias = network.fc.weight.detach().numpy(), network.fc.bias.detach().numpy()
    assert np.allclose(found.features @ weight.T + bias, EXPECTED, atol=1e-5)
    with pytest.raises(ModelError, match="which output are the features is not known; name it"):
        open_model(f"onnx:{path}({NUMBERS}, output=y)", Settings(features=True))


def test_a_file_that_takes_bytes_gets_bytes(tmp_path):
    path = written(tmp_path, bytes_=True)
    found = open_model(f"onnx:{path}").predict(BATCH).logits
    with torch.inference_mode():
        expected = Tiny().eval()(torch.tensor(BATCH).permute(0, 3, 1, 2).float()).numpy()
    assert np.allclose(found, expected, atol=1e-3)
    with pytest.raises(SpecError, match="takes bytes and scales them itself; leave mean out"):
        open_model(f"onnx:{path}({NUMBERS})")


def test_a_file_of_half_precision_gets_it(tmp_path):
    model = open_model(f"onnx:{written(tmp_path, half=True)}({NUMBERS})")
    found = model.predict(BATCH).logits
    assert found.dtype == np.float32
    assert np.allclose(found, EXPECTED, atol=0.02)
    assert model.facts["precision"] == "tensor(float16)"


def test_the_digest_is_of_all_its_files(tmp_path):
    path = written(tmp_path, external="weights.bin")
    model = open_model(f"onnx:{path}({NUMBERS})")
    assert weight_files(path) == [path, tmp_path / "weights.bin"]
    assert model.digest == of_files([path, tmp_path / "weights.bin"])
    with (tmp_path / "weights.bin").open("r+b") as file:
        file.seek(40)
        file.write(b"\x01")
    assert open_model(f"onnx:{path}({NUMBERS})").digest != model.digest
    (tmp_path / "weights.bin").unlink()
    with pytest.raises(ModelError, match=r"keeps weights in weights.bin, which is not beside it"):
        open_model(f"onnx:{path}({NUMBERS})")


def test_external_data_are_found_wherever_a_tensor_may_be(tmp_path):
    """In a branch of an If and in a function too; against what the onnx package finds."""

    def outside(name, location):
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[1])
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=location)
        tensor.external_data.add(key="offset", value="0")
        return tensor

    branch = helper.make_graph([], "branch", [], [], [outside("a", "b.bin")])
    nodes = [
        helper.make_node("If", ["c"], ["y"], then_branch=branch),
        helper.make_node("Constant", [], ["k"], value=outside("v", "c.bin")),
    ]
    graph = helper.make_graph(nodes, "g", [], [], [outside("w", "a.bin")])
    function = helper.make_function(
        "d",
        "f",
        [],
        ["z"],
        [helper.make_node("Constant", [], ["z"], value=outside("u", "d.bin"))],
        [],
    )
    model = helper.make_model(graph, functions=[function])
    model.doc_string = "location"
    path = tmp_path / "net.onnx"
    path.write_bytes(model.SerializeToString())
    for name in "abcd":
        (tmp_path / f"{name}.bin").write_bytes(b"1234")
    assert [found.name for found in weight_files(path)[1:]] == ["a.bin", "b.bin", "c.bin", "d.bin"]
    graph.initializer[0].external_data[0].value = "../../secret"
    path.write_bytes(helper.make_model(graph).SerializeToString())
    with pytest.raises(ModelError, match=r"names ../../secret for its weights, which lies out of"):
        weight_files(path)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"precision": "float16"}, "cannot follow precision=float16: an ONNX file fixes its"),
        ({"channels_last": True}, "cannot follow channels_last=True"),
        ({"device": "mps"}, "this ONNX Runtime has no mps device, only .*CPUExecutionProvider"),
        ({"device": "cuda"}, "has no cuda device, only .* install onnxruntime-gpu for cuda"),
    ],
)
def test_settings_that_it_cannot_follow_are_refused(tmp_path, settings, said):
    with pytest.raises(ModelError, match=said):
        open_model(f"onnx:{written(tmp_path)}({NUMBERS})", Settings(**settings))


class Session:
    """A runtime with CUDA, as far as opening sees it."""

    started: tuple = ()

    def __init__(self, path, sess_options, providers):
        self.real = onnxruntime.InferenceSession(path)
        Session.asked = providers
        Session.threads = sess_options.intra_op_num_threads

    def __getattr__(self, name):
        return getattr(self.real, name)

    def get_providers(self):
        return [*Session.started, "CPUExecutionProvider"]


def test_cuda_is_asked_for_and_must_have_started(tmp_path, monkeypatch):
    both = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    spec = f"onnx:{written(tmp_path)}({NUMBERS})"
    runtime = type(sys)("onnxruntime")
    runtime.__dict__.update(
        __version__="1",
        get_available_providers=lambda: both,
        SessionOptions=onnxruntime.SessionOptions,
        InferenceSession=Session,
    )
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.setattr(Session, "started", ("CUDAExecutionProvider",))
    model = open_model(spec, Settings(device="cuda:1", threads=3))
    assert Session.asked[0] == ("CUDAExecutionProvider", {"device_id": 1})
    assert Session.threads == 3
    assert model.facts["provider"] == "CUDAExecutionProvider"
    open_model(spec, Settings(device="cpu"))
    assert Session.asked == ["CPUExecutionProvider"]
    monkeypatch.setattr(Session, "started", ())
    with pytest.raises(ModelError, match="could not start CUDA"):
        open_model(spec, Settings(device="cuda"))
    assert open_model(spec).facts["provider"] == "CPUExecutionProvider"
    assert open_model(spec).facts["device"] == "cpu"


def test_want_of_memory_is_said_as_such(tmp_path, monkeypatch):
    model = open_model(f"onnx:{written(tmp_path)}({NUMBERS})")

    def run(*_):
        raise RuntimeError("[ONNXRuntimeError] BFCArena::AllocateRawInternal Failed to allocate")

    session = model._forward.__closure__
    cells = [cell for cell in session if hasattr(cell.cell_contents, "get_providers")]
    monkeypatch.setattr(cells[0].cell_contents, "run", run)
    with pytest.raises(OutOfMemoryError, match="has no memory for a batch of 5"):
        model.predict(BATCH)


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("onnx:gone.onnx", ModelError, "there is no file gone.onnx"),
        ("onnx:text.onnx", ModelError, "is not an ONNX file: it is cut or is something else"),
        ("onnx:empty.onnx(mean=0, std=1)", ModelError, "ONNX Runtime cannot open empty.onnx"),
        ("onnx:net.onnx", SpecError, "say how pixels become numbers"),
        ("onnx:net.onnx(mean=0, std=1, size=32)", SpecError, "takes 16x16 only; leave size out"),
        ("onnx:net.onnx(mean=0, std=1, input=y)", SpecError, "no input 'y'"),
        ("onnx:flat.onnx(mean=0, std=1)", ModelError, "its input x has 2 axes; a batch of"),
        ("onnx:whole.onnx(mean=0, std=1)", ModelError, r"its input is tensor\(int64\); brittle"),
    ],
)
def test_what_cannot_be_opened_says_why(tmp_path, monkeypatch, spec, error, said):
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    (tmp_path / "text.onnx").write_text("this is no protocol buffer")
    (tmp_path / "empty.onnx").write_bytes(b"")
    for name, kind, shape in (
        ("flat", TensorProto.FLOAT, [1, 4]),
        ("whole", TensorProto.INT64, [1, 3, 4, 4]),
    ):
        given, out = (helper.make_tensor_value_info(n, kind, shape) for n in ("x", "y"))
        graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [given], [out])
        opset = [helper.make_opsetid("", 17)]
        onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), f"{name}.onnx")
    with pytest.raises(error, match=said):
        open_model(spec)


def test_the_library_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        MissingExtraError, match=r"needs onnxruntime.*pip install 'brittle\[onnx\]'"
    ):
        open_model(f"onnx:{written(tmp_path)}({NUMBERS})")


def test_the_onnx_package_itself_is_not_needed(tmp_path, monkeypatch):
    spec = f"onnx:{written(tmp_path)}({NUMBERS})"
    real = builtins.__import__

    def without(name, *rest):
        assert name.partition(".")[0] not in ("onnx", "torch"), name
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert open_model(spec).predict(BATCH).logits.shape == (5, 5)
