"""Samples of the WebDataset convention: members of an archive that share a key."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from brittle.errors import SourceError
from brittle.sources._tar import Member

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_LARGEST = 2**20
"""Bytes that the label of one image may take."""


def sample_key(name: str) -> tuple[str, str]:
    """Cut a member's name at the first dot of its last part: key and ending in lower case.

    >>> sample_key("v1.0/0001.left.PNG")
    ('v1.0/0001', 'left.png')
    """
    folder, slash, base = name.rpartition("/")
    stem, _, ending = base.partition(".")
    return folder + slash + stem, ending.lower()


def stored_label(archive: Path, key: str, parts: Mapping[str, Member]) -> str | int | None:
    """Return a sample's label: of `.cls`, else of `.json`, else the folder's name, else None."""
    if "cls" in parts:
        return _number(_text(archive, parts["cls"]))
    if "json" in parts:
        label = _json_label(archive, parts["json"])
        if label is not None:
            return label
    return key.rpartition("/")[0].rpartition("/")[2] or None


def _number(text: str) -> str | int:
    return int(text) if _WHOLE.fullmatch(text) else text


def _text(archive: Path, member: Member) -> str:
    if member.size > _LARGEST:
        raise SourceError(f"{member.name} in {archive} has {member.size} bytes; it is no label.")
    try:
        text = member.read(archive).decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise SourceError(f"{member.name} in {archive} is not UTF-8 text ({error}).") from error
    if not text:
        raise SourceError(f"{member.name} in {archive} is empty; it must hold a label.")
    return text


def _json_label(archive: Path, member: Member) -> str | int | None:
    try:
        fields = json.loads(_text(archive, member))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{member.name} in {archive} is not JSON ({error}).") from error
    if not isinstance(fields, dict):
        return None
    label = next((fields[name] for name in ("label", "cls") if fields.get(name) is not None), None)
    if label is None or type(label) is int:
        return label
    if isinstance(label, str) and label.strip() and _is_text(label):
        return _number(label.strip())
    raise SourceError(
        f"{member.name} in {archive} has the label {label!r}; it must be a whole number or a text."
    )


def _is_text(label: str) -> bool:
    """Tell if a text can be written; JSON can hold halves of characters."""
    try:
        label.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
