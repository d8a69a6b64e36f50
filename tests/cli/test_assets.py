import hashlib
import io
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from brittle import assets
from brittle.cli import main

DATA = {f"frost{number}.png": f"ice {number}".encode() for number in range(1, 3)}


@pytest.fixture
def frost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Two small files behind made-up addresses; returns what was asked for."""
    asked: list[str] = []

    def urlopen(url: str, timeout: float) -> io.BytesIO:
        asked.append(url)
        return io.BytesIO(DATA[url.rpartition("/")[2]])

    made = tuple(
        assets.Asset(name, f"https://example.org/{name}", hashlib.sha256(data).hexdigest())
        for name, data in DATA.items()
    )
    monkeypatch.setattr(assets, "FROST", made)
    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path / "cache"))
    return asked


def test_path(frost: list[str], tmp_path: Path, capsys: Any) -> None:
    assert main(["assets", "path"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cache'}\n"
    assert main(["assets", "path", "--assets", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path}\n"


def test_fetch_gets_what_is_missing(frost: list[str], tmp_path: Path, capsys: Any) -> None:
    assert main(["assets", "fetch"]) == 0
    paths = [tmp_path / "cache" / name for name in DATA]
    assert capsys.readouterr().out.split() == [str(path) for path in paths]
    assert [path.read_bytes() for path in paths] == list(DATA.values())
    assert len(frost) == 2
    paths[1].write_bytes(b"altered")
    assert main(["assets", "fetch"]) == 0
    assert len(frost) == 3
    assert paths[1].read_bytes() == DATA["frost2.png"]


def test_a_wrong_file_is_not_kept(
    frost: list[str], tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DATA, "frost1.png", b"something else")
    assert main(["assets", "fetch"]) == 2
    assert "not kept" in capsys.readouterr().err
    assert not (tmp_path / "cache" / "frost1.png").exists()


def test_list_says_what_is_there(frost: list[str], tmp_path: Path, capsys: Any) -> None:
    assert main(["assets", "list"]) == 1
    states = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert states == ["missing", "missing"]
    assert main(["assets", "fetch"]) == 0
    capsys.readouterr()
    assert main(["assets", "list"]) == 0
    (tmp_path / "cache" / "frost1.png").write_bytes(b"altered")
    assert main(["assets", "list"]) == 1
    states = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert states == ["good", "good", "altered", "good"]


def test_no_network(frost: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def urlopen(url: str, timeout: float) -> None:
        raise OSError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    assert main(["assets", "fetch"]) == 2
    assert "could not be fetched (no route)" in capsys.readouterr().err
