"""What the tests of models share: one small model of a kind, opened once."""

import pytest
import torch

from brittle.models import open_model
from tests.models.examples import BUILDERS


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    """Networks this small only wait for a second thread, for long where the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def specs(tmp_path_factory):
    """The spec of a small model of a kind, written on the first call."""
    made = {}

    def spec(kind):
        if kind not in made:
            root = tmp_path_factory.mktemp(kind)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(root)
                made[kind] = BUILDERS[kind](root), root
        return made[kind]

    return spec


@pytest.fixture(scope="session")
def opened(specs):
    """A small model of a kind, opened on the first call."""
    made = {}

    def model(kind):
        if kind not in made:
            spec, root = specs(kind)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(root)
                made[kind] = open_model(spec)
        return made[kind]

    return model
