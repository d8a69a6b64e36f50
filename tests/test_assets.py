import hashlib
import io
import urllib.request

import pytest

from brittle import assets
from brittle.errors import AssetError
from tests.helpers.shared import needs_shared, shared


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Five small stand-ins, served from memory."""
    contents = {f"https://example.org/{i}.png": f"ice {i}".encode() for i in range(5)}
    made = tuple(
        assets.Asset(f"{i}.png", url, hashlib.sha256(data).hexdigest())
        for i, (url, data) in enumerate(contents.items())
    )
    asked = []

    def serve(url, timeout):
        asked.append(url)
        return io.BytesIO(contents[url])

    monkeypatch.setattr(assets, "FROST", made)
    monkeypatch.setattr(urllib.request, "urlopen", serve)
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    assets.use(None)
    return contents, asked


def test_fetch_gets_what_is_missing_or_altered_and_no_more(small, tmp_path):
    contents, asked = small
    assert not assets.have_frost()
    paths = assets.fetch()
    assert [p.read_bytes() for p in paths] == list(contents.values())
    assert assets.have_frost()
    asked.clear()
    paths[2].write_bytes(b"water")
    assert assets.fetch()
    assert asked == ["https://example.org/2.png"]
    assert paths[2].read_bytes() == b"ice 2"


def test_a_wrong_download_is_not_kept(small, tmp_path):
    contents, _ = small
    contents["https://example.org/0.png"] = b"not ice"
    with pytest.raises(AssetError, match="it was not kept"):
        assets.fetch()
    assert not (tmp_path / "cache" / "0.png").exists()


def test_no_network_says_what_to_do(monkeypatch, tmp_path):
    def refuse(url, timeout):
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    with pytest.raises(AssetError, match=r"could not be fetched.*--assets or BRITTLE_ASSETS"):
        assets.fetch(tmp_path)


def test_an_altered_photograph_is_refused(small, tmp_path):
    assets.fetch()
    (tmp_path / "cache" / "1.png").write_bytes(b"water")
    with pytest.raises(AssetError, match=r"is not the published 1.png: its SHA-256 is"):
        assets.locate(assets.FROST[1])
    (tmp_path / "cache" / "1.png").unlink()
    with pytest.raises(AssetError, match="Run 'brittle assets fetch'"):
        assets.locate(assets.FROST[1])


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(AssetError, match="There is no folder"):
        assets.use(tmp_path / "none")


@pytest.mark.data
@needs_shared
def test_the_digests_are_those_of_the_published_photographs():
    for asset in assets.FROST:
        data = shared("reference", "frost", asset.name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == asset.sha256
