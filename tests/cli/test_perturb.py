import subprocess
import sys
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from brittle import _film_files, films
from brittle._perturb import perturb
from brittle.cli import main
from brittle.film import film_strip
from tests.helpers.fingerprints import picture

PHOTO = picture(70, 90)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "cat.png"
    path.parent.mkdir()
    Image.fromarray(PHOTO).save(path)
    return path


@pytest.fixture
def photos(photo: Path) -> Path:
    deep = photo.parent / "deep" / "dog.webp"
    deep.parent.mkdir()
    Image.fromarray(picture(40, 50)).save(deep, lossless=True)
    return photo.parent


def film(path: Path) -> "tuple[np.ndarray[Any, Any], float]":
    with av.open(str(path)) as opened:
        stream = opened.streams.video[0]
        rate = float(stream.average_rate)
        frames = [frame.to_ndarray(format="rgb24") for frame in opened.decode(stream)]
    return np.stack(frames), rate


def psnr(one: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]") -> float:
    return float(10 * np.log10(255**2 / np.mean((one.astype(float) - other) ** 2)))


@pytest.mark.parametrize("spec", ["tilt", "gaussian_noise(strength=3)", "translate"])
@pytest.mark.parametrize(("edition", "side"), [("imagenet-224", 224), ("inception-299", 299)])
def test_mp4(photo: Path, tmp_path: Path, spec: str, edition: str, side: int) -> None:
    out = tmp_path / "new" / "out.mp4"
    args = ["perturb", str(photo), "-p", spec, "-o", str(out), "--edition", edition]
    assert main([*args, "--seed", "4", "--fps", "25"]) == 0
    made, rate = film(out)
    expected = perturb(PHOTO, spec, edition=edition, seed=4, key="cat")
    assert made.shape == expected.shape
    assert made.shape[1:] == (side, side, 3)
    assert rate == 25
    assert min(psnr(one, other) for one, other in zip(made, expected, strict=True)) > 30
    assert [path.name for path in out.parent.iterdir()] == ["out.mp4"]


def test_mp4_is_the_same_twice_and_takes_odd_sizes(tmp_path: Path) -> None:
    for shape in ((1, 1), (3, 17), (33, 32)):
        Image.fromarray(picture(*shape)).save(tmp_path / "odd.png")
        bytes_ = []
        for name in ("a.mp4", "b.mp4"):
            args = ["perturb", str(tmp_path / "odd.png"), "-p", "rotate(frames=3)"]
            assert main([*args, "-o", str(tmp_path / name), "--force", "--fps", "0.5"]) == 0
            bytes_.append((tmp_path / name).read_bytes())
        assert bytes_[0] == bytes_[1]
        made, rate = film(tmp_path / "a.mp4")
        assert made.shape == (3, *shape, 3)
        assert rate == 0.5


def test_gif(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gif"
    assert main(["perturb", str(photo), "-p", "translate", "-o", str(out), "--fps", "20"]) == 0
    expected = perturb(PHOTO, "translate", key="cat")
    with Image.open(out) as opened:
        assert opened.n_frames == 41
        assert opened.info["duration"] == 50
        assert opened.info["loop"] == 0
        for number in (0, 20, 40):
            opened.seek(number)
            assert psnr(np.asarray(opened.convert("RGB")), expected[number]) > 25


def test_npy(photo: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out.npy"
    assert main(["perturb", str(photo), "-p", "snow", "-o", str(out), "--seed", "2"]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert np.array_equal(
        np.load(out, allow_pickle=False), perturb(PHOTO, "snow", seed=2, key="cat")
    )


def test_folders_get_a_folder_a_perturbation(photos: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    specs = ["tilt(frames=12)", "shot_noise(strength=2)", "rotate(step=2, frames=3)"]
    asked = [word for spec in specs for word in ("-p", spec)]
    assert main(["perturb", str(photos), *asked, "-o", str(out), "-q"]) == 0
    assert capsys.readouterr().out == f"6 films in {out}\n"
    assert sorted(path.name for path in out.iterdir()) == [
        "rotate-frames=3,step=2",
        "shot_noise_2",
        "tilt-frames=12",
    ]
    frames = sorted((out / "tilt-frames=12" / "deep" / "dog").iterdir())
    assert [path.name for path in frames] == [f"{number:02d}.png" for number in range(12)]
    expected = perturb(picture(40, 50), "shot_noise(strength=2)", key="deep/dog")
    for number in (0, 30):
        with Image.open(out / "shot_noise_2" / "deep" / "dog" / f"{number:02d}.png") as opened:
            assert np.array_equal(opened, expected[number])


def test_workers_do_not_matter_and_formats_go_into_folders(photos: Path, tmp_path: Path) -> None:
    for workers in ("1", "3"):
        args = ["perturb", str(photos), "-p", "spatter", "--workers", workers, "--format", "npy"]
        assert main([*args, "-o", str(tmp_path / workers), "-q"]) == 0
    found = sorted(path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*.npy"))
    assert [str(path) for path in found] == ["spatter/cat.npy", "spatter/deep/dog.npy"]
    for path in found:
        assert (tmp_path / "1" / path).read_bytes() == (tmp_path / "3" / path).read_bytes()


def test_grey_files_and_alpha_become_rgb(tmp_path: Path) -> None:
    for mode in ("L", "RGBA"):
        Image.fromarray(PHOTO).convert(mode).save(tmp_path / f"{mode}.png")
        out = tmp_path / f"{mode}.npy"
        assert main(["perturb", str(tmp_path / f"{mode}.png"), "-p", "tilt", "-o", str(out)]) == 0
        assert np.load(out, allow_pickle=False).shape == (31, 70, 90, 3)


def test_the_strip(photo: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "strip.png"
    args = ["perturb", str(photo), "--sheet", "-p", "tilt", "-p", "snow", "--every", "10"]
    assert main([*args, "-o", str(out), "--seed", "3"]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    expected = film_strip(PHOTO, ["tilt", "snow"], every=10, seed=3, key="cat")
    with Image.open(out) as page:
        assert np.array_equal(page, expected)
    assert main([*args, "-o", str(out)]) == 2
    assert "would be overwritten" in capsys.readouterr().err


def test_nothing_is_overwritten_unless_forced(photo: Path, tmp_path: Path, capsys: Any) -> None:
    there = tmp_path / "out" / "tilt" / "cat" / "30.png"
    there.parent.mkdir(parents=True)
    there.write_text("mine")
    args = ["perturb", str(photo), "-p", "tilt", "-o", str(tmp_path / "out")]
    assert main(args) == 2
    assert f"{there} would be overwritten; use --force" in capsys.readouterr().err
    assert [path.name for path in there.parent.iterdir()] == ["30.png"]
    assert main([*args, "--force"]) == 0
    with Image.open(there) as opened:
        assert opened.size == (90, 70)


def test_broken_files_are_named_and_the_rest_is_made(
    photos: Path, tmp_path: Path, capsys: Any
) -> None:
    (photos / "bad.jpg").write_bytes(b"no picture")
    assert main(["perturb", str(photos), "-p", "tilt", "-o", str(tmp_path / "out"), "-q"]) == 2
    said = capsys.readouterr()
    assert said.out == f"2 films in {tmp_path / 'out'}\n"
    assert "bad.jpg" in said.err
    assert "1 of 3 not made" in said.err


def test_nothing_half_written_is_left(photo: Path, tmp_path: Path, monkeypatch: Any) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_film_files, "coloured", fail)
    monkeypatch.setattr(films, "coloured", fail)
    out = tmp_path / "new"
    for name in ("a.mp4", "a.gif"):
        assert main(["perturb", str(photo), "-p", "tilt", "-o", str(out / name)]) == 130
    assert not out.exists() or list(out.iterdir()) == []


def test_without_pyav_the_command_that_installs_it_is_named(
    photo: Path, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    for options in (["-o", str(tmp_path / "a.mp4")], ["-o", str(tmp_path), "--format", "mp4"]):
        assert main(["perturb", str(photo), "-p", "tilt", *options]) == 2
        assert "pip install 'brittle[video]'" in capsys.readouterr().err
    assert main(["perturb", str(photo), "-p", "tilt", "-o", str(tmp_path / "a.npy")]) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "{tmp}/out"], "Say what to do with -p"),
        (["-p", "tlit", "-o", "{tmp}/out"], "Did you mean tilt"),
        (["-p", "tilt", "-p", "tilt", "-o", "{tmp}/out"], "tilt is asked for twice"),
        (["-p", "tilt", "-p", "snow", "-o", "{tmp}/a.mp4"], "one film, but 2 would be made"),
        (["-p", "tilt", "-o", "{tmp}/a.avi"], "an ending that cannot be written; use one of .mp4"),
        (["-p", "tilt", "-o", "{tmp}/a.mp4", "--format", "gif"], "contradict each other"),
        (["-p", "tilt", "-o", "{tmp}/in/x"], "lies inside"),
        (
            ["-p", "tilt", "-o", "{tmp}/out", "--fps", "0"],
            "--fps must be a number from 0.01 to 100",
        ),
        (["-p", "tilt", "-o", "{tmp}/out", "--fps", "nan"], "--fps must be a number from 0.01"),
        (["-p", "tilt", "-o", "{tmp}/out", "--every", "3"], "--every is for the strip"),
        (["-p", "tilt", "-o", "{tmp}/out", "--workers", "0"], "--workers must be at least 1"),
        (["-p", "tilt", "-o", "{tmp}/out", "--edition", "cifar"], "There is no edition 'cifar'"),
        (["-p", "tilt", "-o", "{tmp}/o", "--edition", "cifar-32"], "takes pictures of 32x32 as"),
        (["--sheet", "-o", "{tmp}/strip.jpg"], "ends in .png"),
        (["--sheet", "--every", "0", "-o", "{tmp}/strip.png"], "every >= 1"),
    ],
)
def test_refusals(
    photo: Path, tmp_path: Path, capsys: Any, options: list[str], message: str
) -> None:
    filled = [option.replace("{tmp}", str(tmp_path)) for option in options]
    assert main(["perturb", str(photo.parent), *filled]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.mp4"))


def test_show_and_list(tmp_path: Path, capsys: Any) -> None:
    assert main(["show", "tilt"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("tilt: compared with the previous frame, test, version 1\n")
    assert "numbers of imagenet-224, any\n  frames=31, step=1\n" in page
    assert main(["show", "gaussian_noise", "--perturbation", "--edition", "cifar-32"]) == 0
    page = capsys.readouterr().out
    assert "strengths of cifar-32\n  1: frames=31, std=0.02\n  2: frames=31, std=0.04\n" in page
    assert main(["show", "gaussian_noise"]) == 0
    assert "severities of" in capsys.readouterr().out
    out = tmp_path / "strip.png"
    assert main(["show", "snow", "--perturbation", "-o", str(out)]) == 0
    assert out.exists()
    assert main(["show", "fog", "--perturbation"]) == 2
    assert "There is no perturbation 'fog'" in capsys.readouterr().err


def test_listing_imports_no_part() -> None:
    code = (
        "import sys; from brittle.perturbations import PERTURBATIONS; PERTURBATIONS.names();"
        "print([m for m in sys.modules if m.startswith('brittle.perturbations.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['brittle.perturbations.base']"
