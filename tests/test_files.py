import signal
import subprocess
import sys

import pytest

from brittle.files import ASIDE, replacing, sha256_file, write_bytes


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "deep" / "a.txt"
    write_bytes(path, b"one")
    assert path.read_bytes() == b"one"

    def fail():
        with replacing(path) as aside:
            aside.write_bytes(b"tw")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        fail()
    assert path.read_bytes() == b"one"
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


def test_a_killed_writer_leaves_the_old_file_and_a_marked_leftover(tmp_path):
    path = tmp_path / "a.txt"
    write_bytes(path, b"old")
    code = (
        "import os, signal, sys, pathlib; from brittle.files import replacing\n"
        "with replacing(pathlib.Path(sys.argv[1])) as aside:\n"
        "    aside.write_bytes(b'new'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    left = [p.name for p in tmp_path.iterdir() if p.name != "a.txt"]
    assert len(left) == 1
    assert left[0].endswith(ASIDE)


def test_the_digest_is_sha256(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_file(path) == expected
