"""Stochastic passes: what is dropped belongs to a picture, and is dropped as the layer says."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from brittle.errors import ModelError  # noqa: E402
from brittle.models import Settings, torch_model  # noqa: E402

STATS = {"mean": [0.5] * 3, "std": [0.5] * 3, "size": 8}


class Net(torch.nn.Module):
    def __init__(self, layer=None):
        super().__init__()
        generator = torch.Generator().manual_seed(0)
        self.drop = torch.nn.Dropout(0.25) if layer is None else layer
        self.weight = torch.nn.Parameter(torch.randn(192, 5, generator=generator))

    def forward(self, x):
        flat = self.drop(x) if isinstance(self.drop, torch.nn.Dropout2d) else x
        flat = flat.flatten(1)
        flat = flat if isinstance(self.drop, torch.nn.Dropout2d) else self.drop(flat)
        return flat @ self.weight


def opened(passes=6, **options):
    return torch_model(Net(**options), settings=Settings(passes=passes), **STATS)


def pictures(count, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, 8, 8, 3), dtype=np.uint8)


def test_the_usual_pass_drops_nothing():
    plain = torch_model(Net(), settings=Settings(), **STATS)
    found = opened().predict(pictures(4))
    assert np.array_equal(found.logits, plain.predict(pictures(4)).logits)
    assert found.samples.shape == (4, 6, 5)
    assert plain.predict(pictures(4)).samples is None


def test_samples_belong_to_a_picture():
    batch = pictures(7)
    whole = opened().predict(batch).samples
    assert len({sample.tobytes() for sample in whole.reshape(-1, 5)}) == 42
    for order in ([3], [6, 0, 2], [1, 1]):
        some = opened().predict(batch[order]).samples
        np.testing.assert_allclose(some, whole[order], rtol=1e-5, atol=1e-5)


def test_what_is_dropped_is_what_the_layer_says():
    """The mean over many passes is the plain pass, and the variance is the closed form."""
    batch = pictures(2)
    model = opened(passes=3000)
    found = model.predict(batch)
    values = (batch.transpose(0, 3, 1, 2).reshape(2, -1) / 255 - 0.5) / 0.5
    weight = Net().weight.detach().numpy()
    spread = np.sqrt(0.25 / 0.75 * (values**2 @ weight**2))
    error = np.abs(found.samples.mean(axis=1) - found.logits) / (spread / np.sqrt(3000))
    assert error.max() < 4.5
    assert np.abs(found.samples.std(axis=1) / spread - 1).max() < 0.08


def test_channels_are_dropped_whole():
    model = opened(layer=torch.nn.Dropout2d(0.5), passes=40)
    found = model.predict(pictures(1)).samples[0]
    # Three channels, each there or not: no more than eight outcomes.
    assert 4 <= len(np.unique(found.round(4), axis=0)) <= 8


def test_what_has_no_dropout_is_refused():
    for layer in (torch.nn.Dropout(0.0), torch.nn.Identity(), torch.nn.AlphaDropout(0.2)):
        with pytest.raises(ModelError, match="no dropout layer"):
            opened(layer=layer)
    from brittle.models import open_model

    with pytest.raises(ModelError, match="cannot follow passes=3"):
        open_model("linear:random(classes=3, size=8)", Settings(passes=3))


def test_a_run_keeps_them_and_mc_dropout_reads_them(tmp_path):
    import brittle
    from brittle.errors import SpecError

    known = pictures(60), [str(n % 5) for n in range(60)]
    data = {"known": known, "noise": "anomaly:gaussian(count=40)"}
    classes = [str(n) for n in range(5)]
    model = torch_model(Net(), classes=classes, settings=Settings(passes=4), **STATS)
    run = brittle.evaluate(
        model, suite="ood", data=data, keep=["samples"], passes=4, out=tmp_path / "run"
    )
    found = run.detect(["mc_dropout"], replicates=0)
    (row,) = found.rows
    usual, strange = run.detector_scores("mc_dropout")
    shares = np.exp(model.predict(known[0]).samples.astype(float))
    shares /= shares.sum(axis=2, keepdims=True)
    keys = [f"{n:05d}" for n in range(60)]
    assert sorted(keys) == keys
    assert usual.shape == (60,)
    assert strange["noise"].shape == (40,)
    assert np.corrcoef(usual, shares.var(axis=1).sum(axis=1))[0, 1] > 0.9
    assert 0 <= row.values["AUROC"].value <= 100
    with pytest.raises(SpecError, match="leave passes out"):
        brittle.evaluate(model, data=known, suite="clean", passes=4)


class Deep(torch.nn.Module):
    """Dropout twice by one layer, after a body that counts its runs; perhaps with a way around."""

    def __init__(self, around=False):
        super().__init__()
        torch.manual_seed(0)
        self.body, self.middle = torch.nn.Linear(192, 12), torch.nn.Linear(12, 12)
        self.drop, self.head = torch.nn.Dropout(0.5), torch.nn.Linear(12, 5)
        self.around, self.runs = around, 0

    def forward(self, x):
        self.runs += 1
        x = torch.relu(self.body(x.flatten(1)))
        y = self.drop(self.middle(self.drop(x)))
        return self.head(x + y if self.around else y)


@pytest.mark.parametrize(("around", "runs"), [(False, 2), (True, 2 + 6)])
def test_passes_share_what_comes_before_the_first_dropout(around, runs):
    network = Deep(around)
    model = torch_model(network, settings=Settings(passes=6), **STATS)
    batch = pictures(4)
    found = model.predict(batch).samples
    assert network.runs == runs
    one_by_one = np.concatenate([model.predict(batch[n : n + 1]).samples for n in range(4)])
    np.testing.assert_allclose(found, one_by_one, rtol=1e-4, atol=1e-5)
    fewer = torch_model(Deep(around), settings=Settings(passes=2), **STATS).predict(batch).samples
    np.testing.assert_allclose(found[:, :2], fewer, rtol=1e-4, atol=1e-5)
    assert len(np.unique(found.reshape(24, -1).round(4), axis=0)) == 24


def test_a_layer_that_is_called_again_drops_other_ones():
    class Twice(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = torch.nn.Dropout(0.5)

        def forward(self, x):
            return self.drop(self.drop(torch.ones(len(x), 400)))

    found = torch_model(Twice(), settings=Settings(passes=2), **STATS).predict(pictures(3)).samples
    assert np.unique(found).tolist() == [0, 4]
    assert 0.2 < (found > 0).mean() < 0.3  # a quarter is kept twice; of one mask it would be a half


def test_samples_of_probabilities_are_their_logarithms():
    class Shares(Net):
        def forward(self, x):
            return torch.softmax(super().forward(x), dim=1)

    settings = Settings(passes=3)
    told = torch_model(Shares(), gives="probabilities", settings=settings, **STATS)
    found = told.predict(pictures(2)).samples
    plain = opened(passes=3).predict(pictures(2)).samples.astype(float)
    shares = np.exp(plain) / np.exp(plain).sum(axis=2, keepdims=True)
    np.testing.assert_allclose(np.exp(found), shares, atol=1e-6)


def test_a_layer_that_does_not_see_a_row_a_picture_is_refused():
    class Tokens(Net):
        def forward(self, x):
            return self.drop(x.flatten(1).reshape(-1, 64)).reshape(len(x), -1) @ self.weight

    model = torch_model(Tokens(), settings=Settings(passes=3), **STATS)
    with pytest.raises(ModelError, match="does not see a row a picture"):
        model.predict(pictures(2))
