import pytest

from brittle import cli
from tests.sections.runs import labelled, measured


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("cli")
    return measured(root, source=labelled(root / "pictures", 12))


def test_it_writes_the_file_and_says_so(made, tmp_path, capsys):
    run, source = made
    out = tmp_path / "a" / "r.html"
    args = ["report", str(run.path), "-o", str(out), "--title", "Release 12", "--replicates", "100"]
    assert cli.main([*args, "--data", str(source)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"brittle report: wrote {out} (0.")
    text = out.read_text("utf-8")
    assert "<title>Release 12</title>" in text
    assert "data:image/png" in text


def test_refusals_leave_with_2_and_no_file(made, tmp_path, capsys):
    run, _ = made
    out = tmp_path / "r.html"
    assert cli.main(["report", str(tmp_path / "none"), "-o", str(out)]) == 2
    assert "is not a run" in capsys.readouterr().err
    few = labelled(tmp_path / "few", 3)
    (few / "n00").mkdir(exist_ok=True)
    strange = tmp_path / "strange"
    few.rename(strange)
    for path in strange.rglob("*.png"):
        path.rename(path.with_name(f"other_{path.name}"))
    assert cli.main(["report", str(run.path), "-o", str(out), "--data", str(strange)]) == 2
    assert "do not hold the pictures of the runs" in capsys.readouterr().err
    assert not out.exists()
