"""The size of a WebP picture, from its header alone."""


def webp_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) of the canvas, or None if the header is not one of the three known.

    Pillow makes the whole canvas as soon as it opens a WebP file, so the size is needed before.
    The layouts are those of RFC 9649.
    """
    if len(data) < 30:
        return None
    chunk = data[12:16]
    if chunk == b"VP8X":
        return _number(data[24:27]) + 1, _number(data[27:30]) + 1
    if chunk == b"VP8L" and data[20] == 0x2F:
        bits = _number(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _number(data[26:28]) & 0x3FFF, _number(data[28:30]) & 0x3FFF
    return None


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")
