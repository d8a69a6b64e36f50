import hashlib
from pathlib import Path

import pytest

from brittle import manifest
from brittle.manifest import Row

PLAN = {"suite": "x", "seed": 0}
ROWS = [Row(f"a/{n}", n, hashlib.sha256(bytes([n])).digest(), f"k{n}", "clean") for n in range(7)]


def seal(*tables: list[Row], plan: dict[str, object] | None = None) -> str:
    made = manifest.Seal(PLAN if plan is None else plan)
    for rows in tables:
        made.add(manifest.table(rows))
    return made.fingerprint()


def test_fingerprint_is_the_hash_it_is_said_to_be() -> None:
    text = b'{"seed":0,"suite":"x"}'
    framed = b"brittle-set/1\n22\n" + text
    for row in ROWS:
        framed += b"\1" + len(row.path).to_bytes(8, "little") + row.path.encode()
        framed += row.size.to_bytes(8, "little") + row.sha256
        for text in (row.key, row.condition, row.label):
            data = b"" if text is None else len(text).to_bytes(8, "little") + text.encode()
            framed += (b"\0" if text is None else b"\1") + data
    assert seal(ROWS) == hashlib.sha256(framed).hexdigest()


def test_fingerprint_does_not_depend_on_how_rows_are_cut() -> None:
    assert seal(ROWS[:3], ROWS[3:]) == seal(ROWS)
    assert seal(ROWS, []) == seal(ROWS)


def test_fingerprint_depends_on_order_plan_and_every_field() -> None:
    changed = [
        seal(ROWS[::-1]),
        seal(ROWS[:-1]),
        seal(ROWS, plan={**PLAN, "seed": 1}),
        seal([ROWS[0]._replace(size=9), *ROWS[1:]]),
        seal([ROWS[0]._replace(path="a/x"), *ROWS[1:]]),
        seal([ROWS[0]._replace(sha256=bytes(32)), *ROWS[1:]]),
        seal([ROWS[0]._replace(key="other"), *ROWS[1:]]),
        seal([ROWS[0]._replace(condition="other"), *ROWS[1:]]),
        seal([ROWS[0]._replace(label="other"), *ROWS[1:]]),
        seal(ROWS),
    ]
    assert len(set(changed)) == len(changed)


def test_written_rows_read_back_whatever_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prints = set()
    for batch in (2, 3, 100):
        monkeypatch.setattr(manifest, "BATCH", batch)
        tables = (manifest.table(rows) for rows in (ROWS[:4], [], ROWS[4:]))
        made = manifest.write(tmp_path, PLAN, tables, {"skipped": []})
        back = [Row(**row) for table in manifest.rows(tmp_path) for row in table.to_pylist()]
        assert back == ROWS
        assert manifest.read(tmp_path) == made
        assert (made["files"], made["bytes"]) == (7, 21)
        prints.add(made["fingerprint"])
    assert prints == {seal(ROWS)}


def test_row_groups_do_not_depend_on_the_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "BATCH", 3)
    for name, cut in (("a", 1), ("b", 5)):
        (tmp_path / name).mkdir()
        tables = (manifest.table(rows) for rows in (ROWS[:cut], ROWS[cut:]))
        manifest.write(tmp_path / name, PLAN, tables, {})
    one, two = ((tmp_path / name / "manifest.parquet").read_bytes() for name in "ab")
    assert one == two


def test_differences_name_the_fields() -> None:
    old = {"seed": 0, "classes": ["a", "b"], "gone": 1, "same": 5}
    new = {"seed": 1, "classes": ["b", "c"], "same": 5}
    assert manifest.differences(old, new) == [
        "classes (a there only, c asked for only)",
        "gone (1 there, null asked for)",
        "seed (0 there, 1 asked for)",
    ]
    assert manifest.differences(old, dict(old)) == []
