from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from brittle import assets
from brittle._corrupt import corrupt
from brittle.cli import main
from brittle.codec import decode_jpeg, encode_jpeg

FOG = "fog(severity=3)"


@pytest.fixture(autouse=True)
def own_assets() -> Any:
    yield
    assets.use(None)


def save(path: Path, *, channels: int = 3, seed: int = 0, **options: Any) -> Path:
    pixels = np.random.default_rng(seed).integers(0, 256, (20, 30, channels), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.squeeze()).save(path, **options)
    return path


def read(path: Path) -> "np.ndarray[Any, Any]":
    with Image.open(path) as image:
        return np.asarray(image)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    root = tmp_path / "photos"
    save(root / "a.png")
    save(root / "deep" / "b.JPEG", seed=1)
    save(root / "deep" / "c.webp", channels=4, seed=2, lossless=True, exact=True)
    return root


def test_one_file_to_one_file(tmp_path: Path, capsys: Any) -> None:
    source, out = save(tmp_path / "in" / "cat.png"), tmp_path / "new" / "foggy.png"
    assert main(["corrupt", str(source), "-c", FOG, "--seed", "4", "-o", str(out)]) == 0
    assert np.array_equal(read(out), corrupt(read(source), FOG, seed=4, key="cat"))
    assert str(out) in capsys.readouterr().out


def test_folders_get_a_folder_a_condition(photos: Path, tmp_path: Path) -> None:
    out, chain = tmp_path / "out", "contrast(severity=2)+jpeg_compression(severity=3)"
    args = ["corrupt", str(photos), "-c", FOG, "-c", chain, "-o", str(out), "-q"]
    assert main(args) == 0
    made = sorted(str(path.relative_to(out)) for path in out.rglob("*.*") if path.is_file())
    free = "contrast-severity=2+jpeg_compression-severity=3"
    names = ["a.png", "deep/b.png", "deep/c.png"]
    assert made == [f"{free}/{name}" for name in names] + [f"fog/3/{name}" for name in names]
    # The key is the path below the folder, without the suffix.
    expected = corrupt(read(photos / "deep" / "b.JPEG"), FOG, key="deep/b")
    assert np.array_equal(read(out / "fog" / "3" / "deep" / "b.png"), expected)
    alpha = corrupt(read(photos / "deep" / "c.webp"), chain, key="deep/c")
    assert np.array_equal(read(out / free / "deep" / "c.png"), alpha)


def test_workers_do_not_matter(photos: Path, tmp_path: Path) -> None:
    for workers in ("1", "3"):
        out = str(tmp_path / workers)
        args = ["corrupt", str(photos), "-c", "snow(severity=4)", "--workers", workers]
        assert main([*args, "-o", out, "-q"]) == 0
    for path in (tmp_path / "1").rglob("*.png"):
        twin = tmp_path / "3" / path.relative_to(tmp_path / "1")
        assert path.read_bytes() == twin.read_bytes()


def test_formats(photos: Path, tmp_path: Path) -> None:
    for form in ("same", "jpg"):
        args = ["corrupt", str(photos), "-c", FOG, "-o", str(tmp_path / form), "--format", form]
        assert main([*args, "-q"]) == 0
    same = tmp_path / "same" / "fog" / "3"
    names = sorted(str(path.relative_to(same)) for path in same.rglob("*.*"))
    assert names == ["a.png", "deep/b.JPEG", "deep/c.webp"]
    with Image.open(same / "deep" / "b.JPEG") as image:
        assert image.format == "JPEG"
    expected = corrupt(read(photos / "deep" / "c.webp"), FOG, key="deep/c")
    assert np.array_equal(read(same / "deep" / "c.webp"), expected)
    with Image.open(tmp_path / "jpg" / "fog" / "3" / "deep" / "c.jpg") as image:
        assert (image.format, image.mode) == ("JPEG", "RGB")


@pytest.mark.parametrize("ending", ["bmp", "tif", "webp", "jpg"])
def test_the_name_of_a_file_says_its_format(tmp_path: Path, ending: str) -> None:
    source, out = save(tmp_path / "cat.png"), tmp_path / f"out.{ending}"
    assert main(["corrupt", str(source), "-c", FOG, "-o", str(out)]) == 0
    expected = corrupt(read(source), FOG, key="cat")
    if ending == "jpg":
        expected = decode_jpeg(encode_jpeg(expected, 95))
    assert np.array_equal(read(out), expected)


def test_quality(tmp_path: Path) -> None:
    source, sizes = save(tmp_path / "cat.png"), []
    for quality in ("20", "90"):
        out = tmp_path / f"{quality}.jpg"
        args = ["corrupt", str(source), "-c", FOG, "-o", str(out), "--quality", quality]
        assert main(args) == 0
        sizes.append(out.stat().st_size)
    assert sizes[0] < sizes[1]


def test_alpha_of_palettes_is_kept(tmp_path: Path) -> None:
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[:4] = 255
    source, out = tmp_path / "icon.png", tmp_path / "out.png"
    Image.fromarray(pixels).quantize(4).save(source)
    assert main(["corrupt", str(source), "-c", FOG, "-o", str(out)]) == 0
    assert np.array_equal(read(out)[:, :, 3], pixels[:, :, 3])


def test_grey_becomes_rgb(tmp_path: Path) -> None:
    source, out = save(tmp_path / "grey.png", channels=1), tmp_path / "out.png"
    assert main(["corrupt", str(source), "-c", FOG, "-o", str(out)]) == 0
    rgb = np.repeat(read(source)[:, :, None], 3, axis=2)
    assert np.array_equal(read(out), corrupt(rgb, FOG, key="grey"))


def test_exif_turns_pictures(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    source = save(tmp_path / "phone.png", channels=4, exif=exif)
    for name, options, size in (("lying", [], (20, 30)), ("upright", ["--exif"], (30, 20))):
        out = tmp_path / f"{name}.out.png"
        assert main(["corrupt", str(source), "-c", FOG, "-o", str(out), *options]) == 0
        assert read(out).shape == (*size, 4)
    turned = np.rot90(read(source)[:, :, 3], -1)
    assert np.array_equal(read(tmp_path / "upright.out.png")[:, :, 3], turned)


def test_editions_choose_the_table_and_resize_nothing(tmp_path: Path) -> None:
    source, out = save(tmp_path / "cat.png"), tmp_path / "out.png"
    args = ["corrupt", str(source), "-c", FOG, "-o", str(out), "--edition", "cifar-32"]
    assert main(args) == 0
    expected = corrupt(read(source), FOG, edition="cifar-32", key="cat")
    assert np.array_equal(read(out), expected)


def test_nothing_is_overwritten_unless_forced(photos: Path, tmp_path: Path, capsys: Any) -> None:
    there = tmp_path / "out" / "fog" / "3" / "deep" / "b.png"
    there.parent.mkdir(parents=True)
    there.write_text("mine")
    args = ["corrupt", str(photos), "-c", FOG, "-o", str(tmp_path / "out"), "-q"]
    assert main(args) == 2
    assert "b.png would be overwritten; use --force" in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert not (tmp_path / "out" / "fog" / "3" / "a.png").exists()
    assert main([*args, "--force"]) == 0
    assert read(there).shape == (20, 30, 3)


def test_a_broken_picture_is_named_and_the_others_are_made(
    photos: Path, tmp_path: Path, capsys: Any
) -> None:
    (photos / "deep" / "broken.png").write_bytes(b"no picture")
    out = tmp_path / "out"
    assert main(["corrupt", str(photos), "-c", FOG, "-o", str(out), "-q"]) != 0
    said = capsys.readouterr()
    assert "broken.png: " in said.err
    assert len(list(out.rglob("*.png"))) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "-c"),
        (["-c", "fgo(severity=1)"], "Did you mean fog"),
        (["-c", "fog"], "give severity=1..5"),
        (["-c", FOG, "-c", FOG], "twice"),
        (["-c", FOG, "--workers", "0"], "workers"),
        (["-c", FOG, "--quality", "0"], "from 1 to 100"),
        (["-c", FOG, "--edition", "imagenet"], "There is no edition"),
        (["-c", FOG, "--assets", "/nonexistent"], "no folder /nonexistent"),
        (["-c", FOG, "-o", "{tmp}/one.png"], "name of one file, but 3 pictures"),
    ],
)
def test_refusals(
    photos: Path, tmp_path: Path, capsys: Any, options: list[str], message: str
) -> None:
    given = [option.replace("{tmp}", str(tmp_path)) for option in options]
    args = ["corrupt", str(photos), "-o", str(tmp_path / "out"), *given]
    assert main(args) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_files_of_one_key_are_refused(tmp_path: Path, capsys: Any) -> None:
    twins = [save(tmp_path / folder / "x.png") for folder in ("a", "b")]
    out = str(tmp_path / "out")
    assert main(["corrupt", *map(str, twins), "-c", FOG, "-o", out]) == 2
    assert "have both the key x" in " ".join(capsys.readouterr().err.split())


def test_what_is_not_there_is_refused(tmp_path: Path, capsys: Any) -> None:
    args = ["corrupt", str(tmp_path / "none"), "-c", FOG, "-o", str(tmp_path / "out")]
    assert main(args) == 2
    assert "nothing at" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, capsys: Any) -> None:
    source = save(tmp_path / "cat.png")
    (tmp_path / "file").write_text("in the way")
    out = tmp_path / "file" / "out.png"
    assert main(["corrupt", str(source), "-c", FOG, "-o", str(out)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_sheet(tmp_path: Path, capsys: Any) -> None:
    source, out = save(tmp_path / "cat.png"), tmp_path / "sheet.png"
    args = ["corrupt", str(source), "--sheet", "-o", str(out)]
    free = [*args, "-c", FOG, "-c", "contrast(severity=1)+saturate(severity=4)"]
    assert main(free) == 0
    assert capsys.readouterr().out == f"{out}\n"
    small = cv2.imread(str(out)).shape
    assert main(free) == 2
    assert "--force" in capsys.readouterr().err
    with pytest.warns(UserWarning, match="frost"):
        assert main([*args, "--force", "--assets", str(tmp_path)]) == 0
    assert cv2.imread(str(out)).shape[0] > small[0]


def test_a_sheet_is_a_png(tmp_path: Path, capsys: Any) -> None:
    source = save(tmp_path / "cat.png")
    args = ["corrupt", str(source), "--sheet", "-c", FOG, "-o", str(tmp_path / "sheet.jpg")]
    assert main(args) == 2
    assert "PNG" in capsys.readouterr().err


def test_writing_into_what_is_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path / "in" / "a.png")
    args = ["corrupt", str(tmp_path / "in"), "-c", "fog(severity=1)", "-q"]
    assert main([*args, "-o", str(tmp_path / "in" / "out")]) == 2
    assert "which is being read; write elsewhere" in capsys.readouterr().err
    assert main([*args, "-o", str(tmp_path / "out.gif")]) == 2
    assert "has an ending that cannot be written" in capsys.readouterr().err


def test_a_sheet_of_names_has_five_severities_each(tmp_path: Path) -> None:
    save(tmp_path / "a.png")
    one, two = tmp_path / "one.png", tmp_path / "two.png"
    for out, names in ((one, ["fog"]), (two, ["fog", "contrast"])):
        asked = [word for name in names for word in ("-c", name)]
        assert main(["corrupt", str(tmp_path / "a.png"), *asked, "--sheet", "-o", str(out)]) == 0
    with Image.open(one) as first, Image.open(two) as second:
        assert min(first.width, second.width) > 6 * 180  # clean and five severities of a cell each
        assert second.height - first.height > 100
