"""What a set says about itself: `manifest.json`, and `manifest.parquet` with a row a file.

The fingerprint is the SHA-256 over the plan (what was asked for) and over the row of every
file in canonical order: source order, within an image the order of the conditions, and last
the files of the whole set. It depends on neither the machine, the time nor the number of workers.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from brittle._version import __version__
from brittle.errors import BuildError
from brittle.files import replacing, write_bytes

FORMAT = "brittle-set"
FORMAT_VERSION = 1
JSON, PARQUET = "manifest.json", "manifest.parquet"
PACKAGES = ("numpy", "opencv-python-headless", "opencv-python", "pillow", "numba", "pyarrow")
BATCH = 1 << 16


class Row(NamedTuple):
    """One file of a set; key, condition and label are None where it holds several."""

    path: str
    """Below the set's folder, with forward slashes."""
    size: int
    sha256: bytes
    key: str | None = None
    condition: str | None = None
    label: str | None = None


def schema() -> Any:
    """Return the Arrow schema of rows."""
    import pyarrow as pa

    types = (pa.string(), pa.int64(), pa.binary(32), pa.string(), pa.string(), pa.string())
    return pa.schema([(name, kind) for name, kind in zip(Row._fields, types, strict=True)])


def table(rows: Iterable[Row]) -> Any:
    """Return rows as an Arrow table."""
    import pyarrow as pa

    columns = list(zip(*rows, strict=True)) or [()] * len(Row._fields)
    arrays = [pa.array(c, field.type) for c, field in zip(columns, schema(), strict=True)]
    return pa.table(arrays, schema=schema())


def _framed(text: str | None) -> bytes:
    """Return a text with its length in front, so that two texts cannot run into each other."""
    if text is None:
        return b"\0"
    data = text.encode()
    return b"\1" + len(data).to_bytes(8, "little") + data


class Seal:
    """The fingerprint in the making."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        """Begin with the plan."""
        text = json.dumps(plan, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
        self._hash = hashlib.sha256(f"{FORMAT}/{FORMAT_VERSION}\n{len(text)}\n".encode() + text)
        self.files = self.bytes = 0

    def add(self, rows: Any) -> None:
        """Go on with a table of rows."""
        columns = [rows.column(name).to_pylist() for name in Row._fields]
        framed = []
        for name, size, digest, *rest in zip(*columns, strict=True):
            framed += [_framed(name), size.to_bytes(8, "little"), digest, *map(_framed, rest)]
        self._hash.update(b"".join(framed))
        self.files += len(columns[0])
        self.bytes += sum(columns[1])

    def fingerprint(self) -> str:
        """Return the fingerprint of all that was added."""
        return self._hash.hexdigest()


def write(
    out: Path, plan: Mapping[str, Any], tables: Iterable[Any], extra: Mapping[str, Any]
) -> dict[str, Any]:
    """Write both manifests, the rows streamed from `tables`, and return the one in JSON.

    The JSON comes last: a set with a `manifest.json` is complete.
    """
    import pyarrow.parquet as pq

    seal = Seal(plan)
    with (
        replacing(out / PARQUET) as aside,
        pq.ParquetWriter(aside, schema(), compression="zstd") as writer,
    ):
        for batch in _gathered(tables):
            seal.add(batch)
            writer.write_table(batch)
    found = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "fingerprint": seal.fingerprint(),
        "plan": dict(plan),
        "files": seal.files,
        "bytes": seal.bytes,
        **extra,
        "made_with": {"brittle": __version__, **packages()},
    }
    write_bytes(out / JSON, (json.dumps(found, indent=2) + "\n").encode())
    return found


def read(out: Path) -> dict[str, Any] | None:
    """Return a set's `manifest.json`; None when there is none, so that it is no complete set."""
    path = out / JSON
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BuildError(f"{path} is not JSON: {error}. Restore it or build anew.") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BuildError(f"{path} is not the manifest of a set that brittle built.")
    if found.get("format_version") != FORMAT_VERSION:
        raise BuildError(
            f"{path} has format version {found.get('format_version')}; this brittle reads "
            f"{FORMAT_VERSION}. Use the version of brittle that built the set."
        )
    if not isinstance(found.get("plan"), dict) or not isinstance(found.get("fingerprint"), str):
        raise BuildError(f"{path} lacks its plan or fingerprint. Restore it or build anew.")
    return found


def rows(out: Path) -> Iterator[Any]:
    """Yield a set's rows as tables, a part of the file at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = out / PARQUET
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(schema()):
                raise BuildError(f"{path} has other columns than a manifest; restore it.")
            for batch in file.iter_batches(BATCH):
                yield pa.Table.from_batches([batch])
    except (OSError, pa.ArrowException) as error:
        raise BuildError(f"{path} cannot be read: {error}. Restore it or build anew.") from error


def differences(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Say field by field how two plans differ."""
    said = []
    for name in sorted({*there, *wanted}):
        old, new = there.get(name), wanted.get(name)
        if old == new:
            continue
        if isinstance(old, list) and isinstance(new, list):
            gone = [item for item in old if item not in new]
            come = [item for item in new if item not in old]
            said.append(f"{name} ({_some(gone)} there only, {_some(come)} asked for only)")
        else:
            said.append(f"{name} ({_short(old)} there, {_short(new)} asked for)")
    return said


def _some(items: list[Any]) -> str:
    shown = [item.get("name", item) if isinstance(item, dict) else item for item in items[:3]]
    more = f" and {len(items) - 3} more" if len(items) > 3 else ""
    return ", ".join(map(str, shown)) + more if shown else "nothing"


def _short(value: Any) -> str:
    text = json.dumps(value) if not isinstance(value, str) else value
    return text if len(text) <= 40 else f"{text[:16]}..."


def packages(names: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _gathered(tables: Iterable[Any]) -> Iterator[Any]:
    """Join small tables, so that the row groups of the manifest do not depend on the shards."""
    import pyarrow as pa

    held: list[Any] = []
    count = 0
    for part in tables:
        held.append(part)
        count += part.num_rows
        while count >= BATCH:
            whole = pa.concat_tables(held)
            yield whole.slice(0, BATCH)
            held = [whole.slice(BATCH)]
            count = held[0].num_rows
    if count:
        yield pa.concat_tables(held)
