import os
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brittle.errors import SourceError
from brittle.sources._pickles import read_pickle
from tests.sources.examples import cifar_rows, python2_pickle, write

BATCH = {b"data": cifar_rows(1, 4), b"labels": [3, 1, 0, 2], b"batch_label": b"one"}


def test_the_example_is_what_python_2_wrote() -> None:
    """NumPy itself, through an open unpickler, is the oracle for the bytes of the examples."""
    data = python2_pickle(BATCH)
    assert b"cnumpy.core.multiarray\n_reconstruct\n" in data
    assert b"U\x06labels" in data or b"T\x06\0\0\0labels" in data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pickle.loads(data, encoding="bytes")
    assert list(found) == list(BATCH)
    np.testing.assert_array_equal(found[b"data"], BATCH[b"data"])


def test_python_2_pickles_are_read(tmp_path: Path) -> None:
    found = read_pickle(write(tmp_path / "batch", python2_pickle(BATCH)))
    assert list(found) == ["data", "labels", "batch_label"]
    assert found["labels"] == [3, 1, 0, 2]
    np.testing.assert_array_equal(found["data"], BATCH[b"data"])


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("order", ["C", "F"])
def test_pickles_of_today_are_read(tmp_path: Path, protocol: int, order: str) -> None:
    data = np.asarray(cifar_rows(2, 3), order=order)
    path = write(tmp_path / "batch", pickle.dumps({"data": data, "labels": [1, 2, 0]}, protocol))
    found = read_pickle(path)
    np.testing.assert_array_equal(found["data"], data)
    assert found["labels"] == [1, 2, 0]


class Run:
    """Pickles to a call."""

    def __init__(self, function: object, *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return self.call


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_a_pickle_that_would_touch_a_file_does_not(tmp_path: Path, protocol: int) -> None:
    target = tmp_path / "touched"
    data = pickle.dumps({"data": Run(os.mkdir, str(target))}, protocol)
    with pytest.raises(SourceError, match=r"asks for (posix|nt)\.mkdir, .* nothing was run"):
        read_pickle(write(tmp_path / "batch", data))
    assert not target.exists()
    pickle.loads(data)
    assert target.exists()


@pytest.mark.parametrize(
    "call",
    [
        Run(eval, "1"),
        Run(getattr, 1, "real"),
        Run(np.load, "x"),
        Run(np.frombuffer, b"x"),
        Run(__import__, "antigravity"),
    ],
)
def test_other_names_are_refused(tmp_path: Path, call: Run) -> None:
    with pytest.raises(SourceError, match=r"batch asks for \S+, which a CIFAR batch"):
        read_pickle(write(tmp_path / "batch", pickle.dumps({"data": call}, 2)))


def test_dotted_names_do_not_get_further(tmp_path: Path) -> None:
    data = b"\x80\x04\x8c\x05numpy\x8c\x10ndarray.__init__\x93."
    with pytest.raises(SourceError, match=r"asks for numpy.ndarray.__init__"):
        read_pickle(write(tmp_path / "batch", data))


@pytest.mark.parametrize("array", [np.arange(3), np.array([{}, 1], object), np.zeros(3, ">u2")])
def test_other_arrays_are_refused(tmp_path: Path, array: object) -> None:
    with pytest.raises(SourceError, match="batch holds an array that is not of plain uint8"):
        read_pickle(write(tmp_path / "batch", pickle.dumps({"data": array}, 2)))


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    data = b"\x80\x02c_codecs\nencode\nX\x01\0\0\0aX\x04\0\0\0utf8\x86R."
    with pytest.raises(SourceError, match="asks for the encoding 'utf8'"):
        read_pickle(write(tmp_path / "batch", data))


def test_a_list_is_no_batch(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds a list; a CIFAR batch holds a dict"):
        read_pickle(write(tmp_path / "batch", pickle.dumps([1], 2)))


def test_a_shape_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    data = python2_pickle({b"data": cifar_rows(1, 2)})
    shape = b"K\x02M\x00\x0c\x86"
    assert shape in data
    with pytest.raises(SourceError, match=r"batch cannot be read as a pickle \(cannot reshape"):
        read_pickle(write(tmp_path / "batch", data.replace(shape, b"K\x03M\x00\x0c\x86")))


@given(at=st.integers(0, 10**6), value=st.integers(0, 255), cut=st.integers(0, 100))
def test_damaged_pickles_are_dicts_or_source_errors(
    tmp_path_factory: pytest.TempPathFactory, at: int, value: int, cut: int
) -> None:
    data = bytearray(python2_pickle({b"data": cifar_rows(1, 1)[:, :20], b"labels": [1]}))
    data[at % len(data)] = value
    del data[len(data) - cut % len(data) :]
    path = write(tmp_path_factory.getbasetemp() / "damaged", bytes(data))
    try:
        found = read_pickle(path)
    except SourceError as error:
        assert str(path) in str(error)  # noqa: PT017 - both ends are allowed
    else:
        assert isinstance(found, dict)
