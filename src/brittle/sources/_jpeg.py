"""The parts of a JPEG file that carry no pixels."""

_EXIF = b"Exif\0\0"
_APP1, _SCAN = 0xE1, 0xDA
_ALONE = frozenset({0x01, 0xD8, 0xD9, *range(0xD0, 0xD8)})


def without_exif(data: bytes) -> bytes:
    """Leave out the EXIF segments before the first scan; the pixels are the same.

    Pillow parses EXIF to guess a resolution, and damaged EXIF, of which ImageNet has some, then
    sets off warnings about nothing that a reader of pixels could want to know. Whatever does not
    look like a segment ends the search, and is left for the decoder to judge.
    """
    kept = [data[:2]]
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _ALONE or marker in (0x00, 0xFF, _SCAN) or not at + 4 <= end <= len(data):
            break
        if marker != _APP1 or not data.startswith(_EXIF, at + 4):
            kept.append(data[at:end])
        at = end
    return data if sum(map(len, kept)) == at else b"".join([*kept, data[at:]])
