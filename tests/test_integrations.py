"""`Corrupt` inside the real libraries: torchvision, timm, PyTorch's DataLoader, datasets."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

from brittle._corrupt import Corrupt, corrupt
from brittle.errors import ImageError, SpecError

SPECS = (
    "fog(severity=3)",
    "spatter(severity=1)",
    "elastic_transform(severity=5)+shot_noise(severity=2)",
)
COUNT = 6


def picture(number: int = 0, size: tuple[int, int] = (40, 56)) -> Image.Image:
    noise = np.random.default_rng(number).integers(0, 256, (5, 7, 3), np.uint8)
    return Image.fromarray(noise).resize(size[::-1], Image.Resampling.BICUBIC)


def torchvision() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from tests.helpers.models import register_torchvision_ops

    try:
        register_torchvision_ops()
    except ImportError:
        pytest.skip("torchvision is not installed")


def test_torchvision_compose() -> None:
    torchvision()
    from torchvision import transforms

    chain = [Corrupt(SPECS[0], seed=2), transforms.ToTensor()]
    crop = transforms.CenterCrop(32)
    result = transforms.Compose([crop, *chain])(picture())
    expected = corrupt(np.asarray(crop(picture())), SPECS[0], seed=2)
    assert np.array_equal((result * 255).round().numpy(), expected.transpose(2, 0, 1))
    assert "Corrupt('fog(severity=3)', edition='any', seed=2)" in repr(transforms.Compose(chain))
    with pytest.raises(ImageError, match="before ToTensor"):
        transforms.Compose(chain[::-1])(picture())


def test_torchvision_v2_compose() -> None:
    torchvision()
    import torch
    from torchvision.transforms import v2

    end = [v2.ToImage(), v2.ToDtype(torch.float32, scale=True)]
    result = v2.Compose([v2.CenterCrop(32), Corrupt(SPECS[0]), *end])(picture())
    expected = corrupt(np.asarray(v2.CenterCrop(32)(picture())), SPECS[0])
    assert np.array_equal((result * 255).round().numpy(), expected.transpose(2, 0, 1))
    # A label beside the picture passes through when the step is bound to pictures.
    pair = v2.Compose([v2.Lambda(Corrupt(SPECS[0]), Image.Image), v2.CenterCrop(32)])
    image, label = pair(picture(), 7)
    assert label == 7
    assert np.array_equal(image, v2.CenterCrop(32)(corrupt(picture(), SPECS[0])))
    with pytest.raises(ImageError, match="before ToTensor, ToImage"):
        v2.Compose([v2.ToImage(), Corrupt(SPECS[0])])(picture())


def test_timm_transforms() -> None:
    torchvision()
    data = pytest.importorskip("timm.data", reason="timm is not installed")
    pipeline = data.create_transform((3, 32, 32), is_training=False, crop_pct=1.0)
    names = [type(step).__name__ for step in pipeline.transforms]
    at = next(place for place, name in enumerate(names) if name.endswith("ToTensor"))
    image = picture()
    for step in pipeline.transforms[:at]:
        image = step(image)
    plain = data.create_transform((3, 32, 32), is_training=False, crop_pct=1.0)
    expected = corrupt(image, SPECS[0])
    for step in plain.transforms[at:]:
        expected = step(expected)
    pipeline.transforms.insert(at, Corrupt(SPECS[0]))
    result = pipeline(picture())
    assert result.shape == (3, 32, 32)
    assert np.array_equal(result.numpy(), expected.numpy())
    assert not np.array_equal(result.numpy(), plain(picture()).numpy())


class Keyed:
    """A data set whose samples have names of their own; at the top, so that workers find it."""

    def __init__(self, step: Corrupt) -> None:
        self.step = step

    def __len__(self) -> int:
        return COUNT

    def __getitem__(self, index: int) -> Any:
        image = self.step(picture(index), key=f"n{index:03}")
        return np.array(image)


def batches(step: Corrupt, workers: int, start: str | None) -> Sequence[Any]:
    from torch.utils.data import DataLoader

    loader: Any = DataLoader(
        Keyed(step),  # type: ignore[arg-type]
        batch_size=2,
        num_workers=workers,
        multiprocessing_context=start,
        timeout=120 if workers else 0,
    )
    return [batch.numpy() for batch in loader]


@pytest.mark.parametrize(
    ("spec", "start"), [*((spec, "fork") for spec in SPECS), (SPECS[0], "spawn")]
)
# A fork beside threads is what many users' loaders do; Python's own warning is not about us.
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_data_loader_workers_give_the_same_bytes(spec: str, start: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    step = Corrupt(spec, seed=3)
    alone = batches(step, 0, None)
    assert [batch.shape for batch in alone] == [(2, 40, 56, 3)] * 3
    expected = [corrupt(np.asarray(picture(n)), spec, seed=3, key=f"n{n:03}") for n in range(COUNT)]
    assert np.array_equal(np.concatenate(alone), np.stack(expected))
    assert np.array_equal(np.concatenate(batches(step, 2, start)), np.stack(expected))


@pytest.mark.parametrize("processes", [None, 2])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_datasets_map(processes: int | None, tmp_path: Any, monkeypatch: Any) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    datasets.disable_progress_bars()
    table = datasets.Dataset.from_dict(
        {"image": [picture(n) for n in range(COUNT)], "id": [f"n{n:03}" for n in range(COUNT)]},
        features=datasets.Features({"image": datasets.Image(), "id": datasets.Value("string")}),
    )
    step = Corrupt(SPECS[0], seed=3)

    def change(row: dict[str, Any]) -> dict[str, Any]:
        return {"image": step(row["image"], key=row["id"])}

    result = table.map(change, num_proc=processes)
    assert result["id"][:] == [f"n{n:03}" for n in range(COUNT)]
    for number, image in enumerate(result["image"]):
        expected = corrupt(picture(number), SPECS[0], seed=3, key=f"n{number:03}")
        assert np.array_equal(np.asarray(image), np.asarray(expected))


def test_datasets_with_numbers_for_keys_are_told_what_to_do() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    table = datasets.Dataset.from_dict({"pixels": [[0]], "id": [3]})
    step = Corrupt(SPECS[0])
    with pytest.raises(SpecError, match="Use str"):
        table.map(lambda row: {"x": step(np.zeros((4, 4), np.uint8), key=row["id"]) is None})
