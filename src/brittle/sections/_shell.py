"""The page around the sections: one file that asks nobody for anything.

Its content security policy allows styles of its own, pictures in it, and the one script that is in
it by its digest; a script that got in by a name would not run.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib import resources

from brittle._version import __version__
from brittle.sections._colours import SERIES
from brittle.sections._html import Html, tag, trusted


def page(
    title: str,
    about: str,
    parts: Mapping[str, tuple[str, Html]],
    left_out: Sequence[tuple[str, str]],
) -> str:
    """Return the whole document; `parts` are name -> (title, content) in order.

    `left_out` are titles of sections that are not there, and why.
    """
    style, script = _style(), _file("page.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"brittle {__version__}"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", trusted(style)),
    )
    links = [tag("li", tag("a", said, href=f"#{name}")) for name, (said, _) in parts.items()]
    body = tag(
        "body",
        tag("header", tag("h1", title), tag("p", about, class_="sub")),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag("main", [tag("section", tag("h2", said), made, id=name)
                     for name, (said, made) in parts.items()], _absent(left_out)),
        tag("footer", tag("p", f"Made by brittle {__version__}. This page is one file and loads "
                               "nothing from anywhere.")),
        tag("script", trusted(script)),
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def policy(script: str) -> str:
    """Return the content security policy of a page with this script."""
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src 'sha256-{seal}'; base-uri 'none'; form-action 'none'"
    )


def _absent(left_out: Sequence[tuple[str, str]]) -> Html | None:
    if not left_out:
        return None
    rows = [tag("li", tag("b", title), f": {why}") for title, why in left_out]
    listed = tag("ul", rows, class_="notes")
    return tag("section", tag("h2", "Not in this report"), listed, id="absent")


def _style() -> str:
    """Return the style, with the colours of the series in both tones."""
    light, dark = (
        "".join(f"--s{place}:{tones[at]};" for place, tones in enumerate(SERIES)) for at in (0, 1)
    )
    hidden = "".join(
        f'.legend:has([data-place="{place}"]:not(:checked)) + .curves '
        f':is([stroke="var(--s{colour})"],[fill="var(--s{colour})"])'
        "{display:none}"
        for place, colour in enumerate(range(len(SERIES)))
    )
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{_file('page.css')}{hidden}"
    )


def _file(name: str) -> str:
    """Return one of the page's own files, as the browser will see it."""
    return resources.files(__package__).joinpath(name).read_text("utf-8").replace("\r\n", "\n")
