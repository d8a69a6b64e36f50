import hashlib
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from brittle import manifest
from brittle._build import build
from brittle._verify import Verification, verify
from brittle.errors import BuildError
from tests.layouts import pictures

ONE = "contrast/1/n00/image_0.png"
TWO = "contrast/2/n01/image_1.png"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    build(
        pictures.folder(tmp_path / "src"),
        out,
        suite=None,
        conditions=["contrast(severity=1)", "contrast(severity=2)"],
        workers=1,
    )
    return out


GOOD = Verification(files=10, altered=(), missing=(), extra=(), renamed=(), sealed=True)


def test_a_fresh_set_is_good(out: Path) -> None:
    assert verify(out) == GOOD
    assert verify(out, workers=1).ok


def test_a_flipped_bit_is_found(out: Path) -> None:
    data = bytearray((out / ONE).read_bytes())
    data[len(data) // 2] ^= 1
    (out / ONE).write_bytes(data)
    assert verify(out) == GOOD._replace(altered=(ONE,))
    assert not verify(out).ok


def test_a_cut_file_is_found(out: Path) -> None:
    (out / ONE).write_bytes((out / ONE).read_bytes()[:-1])
    assert verify(out) == GOOD._replace(altered=(ONE,))


def test_missing_and_extra_files_are_found(out: Path) -> None:
    (out / ONE).unlink()
    (out / "contrast" / "new.txt").write_text("x")
    assert verify(out) == GOOD._replace(missing=(ONE,), extra=("contrast/new.txt",))


def test_a_missing_folder_is_found(out: Path) -> None:
    shutil.rmtree(out / "contrast" / "2")
    found = verify(out)
    assert len(found.missing) == 5
    assert TWO in found.missing


def test_a_renamed_file_is_found_under_both_names(out: Path) -> None:
    new = "contrast/1/n00/other.png"
    (out / ONE).rename(out / new)
    (out / TWO).unlink()
    assert verify(out) == GOOD._replace(renamed=((ONE, new),), missing=(TWO,))


def test_two_swapped_files_are_altered(out: Path) -> None:
    (out / ONE).rename(out / "aside")
    (out / TWO).rename(out / ONE)
    (out / "aside").rename(out / TWO)
    assert verify(out) == GOOD._replace(altered=(ONE, TWO))


def test_a_copy_of_a_file_is_extra_and_not_renamed(out: Path) -> None:
    shutil.copy(out / ONE, out / "copy.png")
    assert verify(out) == GOOD._replace(extra=("copy.png",))


def test_a_manifest_that_was_changed_with_its_file_is_found(out: Path) -> None:
    (out / ONE).write_bytes(b"forged")
    (rows,) = [table.to_pylist() for table in manifest.rows(out)]
    for row in rows:
        if row["path"] == ONE:
            row["size"], row["sha256"] = 6, hashlib.sha256(b"forged").digest()
    pq.write_table(manifest.table([manifest.Row(**row) for row in rows]), out / "manifest.parquet")
    assert verify(out) == GOOD._replace(sealed=False)
    assert not verify(out).ok


def test_a_plan_that_was_changed_is_found(out: Path) -> None:
    found = json.loads((out / "manifest.json").read_text())
    found["plan"]["seed"] = 1
    (out / "manifest.json").write_text(json.dumps(found))
    assert verify(out) == GOOD._replace(sealed=False)


def test_what_is_no_set_or_unfinished_is_refused(out: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="not a set that brittle built"):
        verify(tmp_path)
    (out / "manifest.json").unlink()
    (out / ".brittle").mkdir()
    with pytest.raises(BuildError, match="unfinished build"):
        verify(out)


def test_a_manifest_is_not_trusted(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_bytes(b"x")
    for path in ("../secret", str(outside), "a/../../secret"):
        pq.write_table(manifest.table([manifest.Row(path, 1, bytes(32))]), out / "manifest.parquet")
        with pytest.raises(BuildError, match="leads out of the set"):
            verify(out)
    (out / "manifest.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(BuildError, match="cannot be read"):
        verify(out)
    (out / "manifest.json").write_text("{")
    with pytest.raises(BuildError, match="is not JSON"):
        verify(out)
    (out / "manifest.json").write_text('{"format": "brittle-set", "format_version": 99}')
    with pytest.raises(BuildError, match="format version 99"):
        verify(out)
