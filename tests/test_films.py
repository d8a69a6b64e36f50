"""Films of others: what a container lists and no player shows, and films that lie on their side."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from brittle import films
from brittle.errors import ImageError
from tests.helpers.fingerprints import picture

av = pytest.importorskip("av")

COUNT = 24
QUARTERS = {
    1: (0, -65536, 0, 65536, 0, 0, 0, 0, 1 << 30),
    2: (-65536, 0, 0, 0, -65536, 0, 0, 0, 1 << 30),
    3: (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30),
}
"""Turns counter-clockwise -> the display matrix of an MP4, in 16.16 fixed point."""


def moved() -> Iterator[np.ndarray]:
    wide = picture(48, 64 + COUNT)
    for step in range(COUNT):
        yield np.ascontiguousarray(wide[:, step : step + 64])


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.mp4"
    path.write_bytes(films.encoded(moved(), grain=False))
    return path


def test_the_frames_and_their_size(film: Path) -> None:
    assert films.measure(str(film)) == (COUNT, (48, 64))
    assert len(list(films.decoded(str(film)))) == COUNT
    every = [frame for number, frame in enumerate(films.decoded(str(film))) if number % 5 == 0]
    assert np.array_equal(np.stack(every), np.stack(list(films.decoded(str(film), stride=5))))


def test_what_was_cut_off_without_encoding_anew_is_not_counted(film: Path, tmp_path: Path) -> None:
    """A cutter keeps the packets before the cut, which later ones need, and an edit list."""
    cut, before = tmp_path / "cut.mp4", 7
    with (
        av.open(str(film)) as source,
        av.open(str(cut), "w", options={"avoid_negative_ts": "disabled"}) as target,
    ):
        stream = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        early = before * int(1 / stream.average_rate / stream.time_base)
        packets = 0
        for packet in source.demux(stream):
            if packet.dts is None:
                continue
            packet.pts, packet.dts = packet.pts - early, packet.dts - early
            packet.stream = copy
            target.mux(packet)
            packets += 1
    assert packets == COUNT
    shown = list(films.decoded(str(cut)))
    assert films.measure(str(cut)) == (COUNT - before, (48, 64)) == (len(shown), shown[0].shape[:2])
    assert np.array_equal(shown[0], list(films.decoded(str(film)))[before])


@pytest.mark.parametrize("turns", sorted(QUARTERS))
def test_films_are_turned_as_players_turn_them(film: Path, tmp_path: Path, turns: int) -> None:
    data = bytearray(film.read_bytes())
    # Version 0 of a track's header: 40 bytes of times, numbers and volume before the matrix.
    at = data.index(b"tkhd") + 4 + 4 + 36
    assert struct.unpack(">9i", data[at : at + 36]) == (65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    data[at : at + 36] = struct.pack(">9i", *QUARTERS[turns])
    turned = tmp_path / "turned.mp4"
    turned.write_bytes(data)
    wanted = [np.rot90(frame, turns) for frame in films.decoded(str(film))]
    found = list(films.decoded(str(turned)))
    assert np.array_equal(np.stack(found), np.stack(wanted))
    assert found[0].flags.c_contiguous
    assert films.measure(str(turned)) == (COUNT, wanted[0].shape[:2])


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("hello")
    for read in (films.measure, lambda path: list(films.decoded(path))):
        with pytest.raises(ImageError, match=r"text.mp4 is no film that can be read"):
            read(str(text))
