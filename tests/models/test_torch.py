"""Networks from files: exported programs, TorchScript, weights with an architecture."""

import pickle

import numpy as np
import pytest
import safetensors.torch
import torch
from torch import nn

from brittle.errors import ModelError, OutOfMemoryError, SpecError
from brittle.models import Settings, open_model, torch_model
from tests.models.examples import (
    CLASSES,
    MEAN,
    NUMBERS,
    STD,
    Tiny,
    by_hand,
    picture,
    pictures,
    write_program,
    write_script,
)

BATCH = pictures(5)


def model_of(network, settings=None, **options):
    given = {"size": 16, "mean": MEAN, "std": STD, **options}
    return torch_model(network, settings=settings, **given)


def test_a_program_gives_what_the_network_gives(tmp_path):
    model = open_model(f"torch:{write_program(tmp_path / 'net.pt2')}({NUMBERS}, crop_pct=0.8)")
    assert model.size == (16, 16)
    assert model.facts["resize"] == [20, 20]
    assert np.allclose(model.predict(BATCH).logits, by_hand(Tiny(), BATCH), atol=1e-6)
    assert np.allclose(model.predict(BATCH[:1]).logits, by_hand(Tiny(), BATCH[:1]), atol=1e-6)


def test_a_program_of_any_size_takes_any(tmp_path):
    model = open_model(f"torch:{write_program(tmp_path / 'net.pt2', side=None)}({NUMBERS})")
    assert model.size is None
    large = pictures(3, 40)
    assert np.allclose(model.predict(large).logits, by_hand(Tiny(), large), atol=1e-6)
    image = picture(33, 21)
    assert model.prepare(image) is image


def test_a_program_of_a_fixed_batch_is_given_full_batches(tmp_path):
    model = open_model(f"torch:{write_program(tmp_path / 'net.pt2', batch=2)}({NUMBERS})")
    assert np.allclose(model.predict(BATCH).logits, by_hand(Tiny(), BATCH), atol=1e-6)


def test_a_program_of_another_size_is_refused(tmp_path):
    path = write_program(tmp_path / "net.pt2")
    with pytest.raises(SpecError, match="exported for 16x16, not 32x32; leave size out"):
        open_model(f"torch:{path}({NUMBERS}, size=32)")


def test_a_script_gives_what_the_network_gives(tmp_path):
    path = write_script(tmp_path / "net.pt")
    model = open_model(f"torch:{path}({NUMBERS}, size=16)", Settings(classes=tuple("abcde")))
    assert np.allclose(model.predict(BATCH).logits, by_hand(Tiny(), BATCH), atol=1e-6)
    assert model.classes == tuple("abcde")
    assert open_model(f"torch:{path}({NUMBERS})").size is None


def test_weights_get_their_architecture(tmp_path):
    network = Tiny(classes=3, seed=4)
    safetensors.torch.save_file(network.state_dict(), tmp_path / "w.safetensors")
    torch.save({"state_dict": network.state_dict(), "epoch": 7}, tmp_path / "w.pth")
    given = f'architecture="tests.models.examples:Tiny", classes=3, size=16, {NUMBERS}'
    models = [
        open_model(f"torch:{tmp_path}/{name}({given})") for name in ("w.safetensors", "w.pth")
    ]
    assert models[0].digest == models[1].digest
    for model in models:
        assert np.allclose(model.predict(BATCH).logits, by_hand(network, BATCH), atol=1e-6)
        assert model.facts["parameters"] == sum(p.numel() for p in network.parameters())


def test_a_digest_changes_with_one_number():
    first, second = Tiny(), Tiny()
    assert model_of(first).digest == model_of(second).digest
    with torch.no_grad():
        second.fc.bias[2] += 1e-6
    assert model_of(first).digest != model_of(second).digest


def test_a_pickle_that_would_run_code_is_not_loaded(tmp_path):
    class Evil:
        def __reduce__(self):
            return (tmp_path.joinpath("ran").write_text, ("oh",))

    given = f'architecture="tests.models.examples:Tiny", size=16, {NUMBERS}'
    torch.save({"a": Evil()}, tmp_path / "evil.pth")
    (tmp_path / "raw.pth").write_bytes(pickle.dumps(Evil()))
    for name in ("evil.pth", "raw.pth"):
        with pytest.raises(
            ModelError, match=r"cannot be read as weights alone .* no pickle that could run code"
        ):
            open_model(f"torch:{tmp_path}/{name}({given})")
    torch.save(Tiny(), tmp_path / "module.pth")
    with pytest.raises(ModelError, match=r"module.pth cannot be read as weights alone"):
        open_model(f"torch:{tmp_path}/module.pth({given})")
    (tmp_path / "evil.pt2").write_bytes((tmp_path / "evil.pth").read_bytes())
    with pytest.raises(ModelError, match="cannot be read as an exported program"):
        open_model(f"torch:{tmp_path}/evil.pt2({NUMBERS})")
    assert not (tmp_path / "ran").exists()


def test_the_environment_is_as_it_was(monkeypatch, tmp_path):
    import os

    from brittle.models._weights import only_weights

    monkeypatch.delenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", raising=False)
    with only_weights():
        assert os.environ["TORCH_FORCE_WEIGHTS_ONLY_LOAD"] == "1"
    assert "TORCH_FORCE_WEIGHTS_ONLY_LOAD" not in os.environ
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "0")
    with only_weights():
        pass
    assert os.environ["TORCH_FORCE_WEIGHTS_ONLY_LOAD"] == "0"


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("torch:gone.pt2(mean=0, std=1)", ModelError, "there is no file gone.pt2"),
        ("torch:w.safetensors(size=16)", SpecError, "say how pixels become numbers"),
        ("torch:w.safetensors(mean=0, std=1)", SpecError, "holds weights and no network; say"),
        ("torch:w.pth(mean=0, std=1)", SpecError, "holds weights and no network"),
        ("torch:w.pth(mean=0, std=1, key=a)", SpecError, "key needs an architecture"),
        ("torch:cut.pt2(mean=0, std=1)", ModelError, "cannot be read as an exported program"),
        ("torch:cut.pt(mean=0, std=1)", ModelError, "cannot be read as TorchScript"),
        ('torch:w.pth(mean=0, std=1, architecture="tiny")', SpecError, "'tiny' is no architecture"),
        (
            'torch:w.pth(mean=0, std=1, architecture="builtins:dict")',
            ModelError,
            "builtins:dict returned a dict; an architecture must be a torch.nn.Module",
        ),
        (
            'torch:list.pth(mean=0, std=1, architecture="tests.models.examples:Tiny")',
            ModelError,
            "holds a list, not a state dict",
        ),
        (
            'torch:odd.pth(mean=0, std=1, architecture="tests.models.examples:Tiny")',
            ModelError,
            "is not a state dict: epoch is no tensor",
        ),
        ("torch:net.pt(mean=0, std=1, gives=scores)", SpecError, "gives must be logits, prob"),
    ],
)
def test_what_cannot_be_opened_says_why(tmp_path, monkeypatch, spec, error, said):
    import zipfile

    monkeypatch.chdir(tmp_path)
    safetensors.torch.save_file(Tiny().state_dict(), "w.safetensors")
    torch.save(Tiny().state_dict(), "w.pth")
    torch.save([1, 2], "list.pth")
    torch.save({"epoch": 3}, "odd.pth")
    write_script(tmp_path / "net.pt")
    (tmp_path / "cut.pt2").write_bytes(b"nothing")
    with zipfile.ZipFile("cut.pt", "w") as archive:
        archive.writestr("cut/constants.pkl", b"")
    with pytest.raises(error, match=said):
        open_model(spec)


def test_features_are_what_the_last_linear_layer_sees():
    network = Tiny()
    found = model_of(network, Settings(features=True)).predict(BATCH)
    assert found.features.shape == (5, 8)
    assert found.features.dtype == np.float32
    weight, bias = network.fc.weight.detach().numpy(), network.fc.bias.detach().numpy()
    assert np.allclose(found.features @ weight.T + bias, found.logits, atol=1e-6)


class Scaled(nn.Module):
    """Its last linear layer does not give its logits."""

    def __init__(self):
        super().__init__()
        self.tiny = Tiny()

    def forward(self, x):
        return self.tiny(x) * 2


def test_features_that_are_none_are_refused():
    with pytest.raises(ModelError, match="last linear layer of Scaled does not give its logits"):
        model_of(Scaled(), Settings(features=True)).predict(BATCH)
    with pytest.raises(ModelError, match="Conv2d has no linear layer"):
        model_of(nn.Conv2d(3, 2, 1), Settings(features=True))


def test_programs_refuse_what_they_cannot_follow(tmp_path):
    program = f"torch:{write_program(tmp_path / 'net.pt2')}({NUMBERS})"
    script = f"torch:{write_script(tmp_path / 'net.pt')}({NUMBERS})"
    for spec in (program, script):
        for settings, name in (
            (Settings(features=True), "features=True"),
            (Settings(channels_last=True), "channels_last=True"),
        ):
            with pytest.raises(ModelError, match=f"cannot follow {name}: a compiled program fixes"):
                open_model(spec, settings)


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_lower_precision_is_near_and_handed_over_as_float32(tmp_path, precision):
    settings = Settings(precision=precision)
    exact = by_hand(Tiny(), BATCH)
    specs = [
        f"torch:{write_program(tmp_path / 'net.pt2')}({NUMBERS})",
        f"torch:{write_script(tmp_path / 'net.pt')}({NUMBERS})",
    ]
    for model in (model_of(Tiny(), settings), *(open_model(s, settings) for s in specs)):
        found = model.predict(BATCH).logits
        assert found.dtype == np.float32
        assert not np.array_equal(found, exact)
        assert np.allclose(found, exact, atol=0.05)
        assert model.facts["precision"] == precision


def test_channels_last_changes_the_layout_and_not_the_answer():
    seen = []

    class Looks(Tiny):
        def forward(self, x):
            seen.append(x.is_contiguous(memory_format=torch.channels_last))
            return super().forward(x)

    models = [model_of(Looks(), Settings(channels_last=wish)) for wish in (False, True, None)]
    first, last, usual = (model.predict(BATCH).logits for model in models)
    assert np.allclose(first, last, atol=1e-5)
    assert np.array_equal(last, usual)
    assert seen == [False, True, True]
    assert [model.facts["channels_last"] for model in models] == [False, True, True]


def test_threads_are_set():
    before = torch.get_num_threads()
    try:
        assert model_of(Tiny(), Settings(threads=2)).facts["threads"] == 2
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_dropout_is_off_and_no_gradient_is_kept():
    class Drops(Tiny):
        def forward(self, x):
            assert torch.is_inference_mode_enabled()
            return super().forward(nn.functional.dropout(x, 0.5, self.training))

    network = Drops().train()
    model = model_of(network)
    assert np.allclose(model.predict(BATCH).logits, by_hand(Tiny(), BATCH), atol=1e-6)
    assert not network.training


def test_the_scale_of_bytes():
    model = model_of(Tiny(), mean=(0, 0, 0), std=(1, 1, 1), scale=255)
    network = Tiny().eval()
    with torch.inference_mode():
        expected = network(torch.tensor(BATCH).permute(0, 3, 1, 2).float()).numpy()
    assert np.allclose(model.predict(BATCH).logits, expected, atol=1e-3)


def test_probabilities_are_handed_over_as_logarithms():
    class Soft(Tiny):
        def forward(self, x):
            return super().forward(x).softmax(1)

    model = model_of(Soft(), gives="probabilities")
    found = model.predict(BATCH).logits
    assert model.gives == "probabilities"
    assert np.allclose(np.exp(found).sum(1), 1, atol=1e-5)
    raw = by_hand(Tiny(), BATCH)
    assert np.allclose(found - raw, (found - raw)[:, :1], atol=1e-5)
    with pytest.raises(ModelError, match="said to give probabilities, but a row sums to"):
        model_of(Tiny(), gives="probabilities").predict(BATCH)


def test_a_probability_of_nought_stays_finite():
    class Sure(nn.Module):
        def forward(self, x):
            return torch.eye(2).repeat(len(x), 1)[: len(x)]

    assert np.isfinite(model_of(Sure(), gives="probabilities").predict(BATCH).logits).all()


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError(
            "[enforce fail at alloc_cpu.cpp:117] . DefaultCPUAllocator: can't allocate memory"
        ),
        RuntimeError("MPS backend out of memory"),
        MemoryError(),
    ],
)
def test_want_of_memory_is_said_as_such(error):
    class Hungry(Tiny):
        def forward(self, x):
            if len(x) > 2:
                raise error
            return super().forward(x)

    model = model_of(Hungry())
    with pytest.raises(OutOfMemoryError, match="has no memory for a batch of 5; use a smaller one"):
        model.predict(BATCH)
    assert model.predict(BATCH[:2]).logits.shape == (2, CLASSES)


def test_a_real_want_of_memory_is_said_as_such():
    class Hungry(Tiny):
        def forward(self, x):
            return super().forward(x) + torch.empty(1 << 50)

    with pytest.raises(OutOfMemoryError, match="has no memory for a batch of 5"):
        model_of(Hungry()).predict(BATCH)


def test_other_failures_are_not_taken_for_it():
    class Breaks(Tiny):
        def forward(self, _):
            raise RuntimeError("shapes cannot be multiplied")

    with pytest.raises(ModelError, match=r"cannot classify a batch of shape \(5, 16, 16, 3\): Run"):
        model_of(Breaks()).predict(BATCH)


class Odd(nn.Module):
    def __init__(self, output):
        super().__init__()
        self.output = output

    def forward(self, _):
        return self.output


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ((torch.zeros(5, 2), 0), "returns a tuple, not a tensor of N x classes"),
        (torch.zeros(4, 2), r"gives logits of shape \(4, 2\) for 5 pictures"),
        (torch.zeros(5, 2, 1), r"gives logits of shape \(5, 2, 1\)"),
        (torch.zeros(5), r"gives logits of shape \(5,\)"),
    ],
)
def test_outputs_that_are_no_classifiers_are_refused(output, said):
    with pytest.raises(ModelError, match=said):
        model_of(Odd(output)).predict(BATCH)


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("cuda", "no device cuda: torch .* sees 0 CUDA devices"),
        ("cuda:7", "no device cuda:7"),
        ("mps", "no device mps on this machine"),
    ],
)
@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has CUDA")
def test_a_device_that_is_not_there_is_refused(device, said):
    with pytest.raises(ModelError, match=said):
        model_of(Tiny(), Settings(device=device))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"device": "gpu"}, "no device 'gpu'; use auto, cpu, cuda, cuda:N or mps"),
        ({"precision": "int8"}, "no precision 'int8'; use float32, bfloat16, float16"),
        ({"threads": 0}, "threads must be at least 1; got 0"),
    ],
)
def test_settings_that_nothing_could_follow_are_refused(wrong, said):
    with pytest.raises(SpecError, match=said):
        Settings(**wrong)


def test_what_is_no_network_is_refused():
    with pytest.raises(ModelError, match=r"must be a torch.nn.Module; got a function"):
        torch_model(lambda x: x, mean=MEAN, std=STD)
