"""Charts: a Vega-Lite specification drawn to SVG that takes its colours from the page.

The page needs no script to show them. What Vega says of a mark for readers who cannot see becomes
the title that a pointer over the mark shows; the chart as a whole has one text instead, and its
numbers stand in a table beside it. Every chart is drawn in two widths, and the page shows the one
that fits, so that letters keep their size on a phone.
"""

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any, TypeAlias

from brittle.errors import MissingExtraError
from brittle.sections._html import Html, clean, tag, trusted

Spec: TypeAlias = dict[str, Any]

NARROW, WIDE = 300, 640
"""Widths of a chart in pixels, its labels included."""
_SVG = "http://www.w3.org/2000/svg"
_FONT = "system-ui, sans-serif"
_INK, _QUIET, _LINE = "var(--ink)", "var(--quiet)", "var(--line)"

CONFIG: Spec = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": _QUIET,
        "titleColor": _QUIET,
        "gridColor": _LINE,
        "domainColor": _LINE,
        "tickColor": _LINE,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelLimit": 220,
    },
    "axisX": {"titleAnchor": "end"},
    "title": {"color": _INK, "fontSize": 12, "anchor": "start", "fontWeight": 600, "offset": 6},
    "text": {"color": _INK, "fontSize": 11},
}


def need_charts() -> None:
    """Refuse at once where the library of the charts is missing, and not after the work."""
    try:
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "The charts of a report need vl-convert: pip install 'brittle[report]' (in a checkout: "
            "pip install '.[report]')."
        ) from error


def figure(draw: Callable[[int], Spec], *, alt: str, caption: str = "", wide: int = WIDE) -> Html:
    """Return a chart in both widths; `draw` gets the width and returns the specification."""
    widths = ((NARROW, "narrow"), (wide, "wide"))
    charts = [tag("div", svg(draw(width), alt=alt), class_=name) for width, name in widths]
    return tag("figure", charts, tag("figcaption", caption) if caption else None)


def svg(spec: Spec, *, alt: str) -> Html:
    """Draw a specification; `alt` is what the chart says to who cannot see it."""
    need_charts()
    import vl_convert

    whole = {**spec, "config": {**CONFIG, **spec.get("config", {})}}
    drawn = vl_convert.vegalite_to_svg(_cleaned(whole), allowed_base_urls=[])
    return trusted(_mended(drawn, clean(alt)))


def _cleaned(value: Any) -> Any:
    """Return a specification whose texts can be written as XML."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _cleaned(one) for name, one in value.items()}
    return [_cleaned(one) for one in value] if isinstance(value, (list, tuple)) else value


def _mended(drawn: str, alt: str) -> str:
    """Bring Vega's SVG into the page: its text, its names, its fonts, and no more than is seen."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(drawn)
    seal = hashlib.sha256(f"{alt}\n{drawn}".encode("utf-8", "replace")).hexdigest()[:8]
    for above in list(root.iter()):
        for node in list(above):
            if node.get("class") in ("background", "foreground"):
                above.remove(node)
    for node in root.iter():
        _mend(node, seal)
    width, height = root.attrib.pop("width"), root.attrib.pop("height")
    root.set("style", f"max-width:{width}px;aspect-ratio:{width}/{height}")
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("font-family", _FONT)
    return ET.tostring(root, encoding="unicode")


def _mend(node: ET.Element, seal: str) -> None:
    said = node.get("aria-label")
    shown = node.get("role") == "graphics-symbol" and "mark" not in (node.get("class") or "")
    for name in ("aria-label", "role", "aria-roledescription", "aria-hidden", "class", "version",
                 "font-family", "stroke-miterlimit", "pointer-events"):  # fmt: skip
        node.attrib.pop(name, None)
    if node.get("opacity") == "1":
        del node.attrib["opacity"]
    if said and shown:
        title = ET.Element(f"{{{_SVG}}}title")
        title.text = said
        node.insert(0, title)
    if "id" in node.attrib:
        node.set("id", f"{node.get('id')}-{seal}")
    for name, value in node.attrib.items():
        if value.startswith("url(#"):
            node.set(name, f"{value[:-1]}-{seal})")
