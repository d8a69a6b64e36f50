"""HTML that cannot be broken by what stands in it: text is escaped, markup is a type of its own.

Names of models, classes and files come from others. Whatever is a `str` is text and is escaped;
only `tag`, `joined` and `trusted` make `Html`, and only `Html` goes in unescaped.

>>> str(tag("p", "1 < 2", title='"quoted"', class_="note"))
'<p title="&quot;quoted&quot;" class="note">1 &lt; 2</p>'
"""

import html
import re
from collections.abc import Iterable
from typing import TypeAlias, final

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "wbr"})
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")
# What HTML may not hold even as a reference, the marks that turn the direction of what follows, and
# halves of surrogate pairs, which cannot be written down.
_BANNED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@final
class Html:
    """Markup that is well formed; made by the functions of this module."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Use `tag`, `joined` or `trusted`."""
        self._text = text

    def __str__(self) -> str:
        """Return the markup."""
        return self._text

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self._text)


Child: TypeAlias = "Html | str | int | float | Iterable[Child] | None"
"""What stands in an element: markup, text that will be escaped, nothing, or several of these."""


def escape(text: str) -> str:
    r"""Return text as it is written in HTML; signs that HTML forbids show as a box.

    >>> escape("<b>\x00")
    '&lt;b&gt;\ufffd'
    """
    return html.escape(clean(text), quote=True)


def clean(text: str) -> str:
    """Return text without the signs that HTML forbids."""
    return _BANNED.sub("\ufffd", text)


def tag(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """Return an element; `class_` is `class`, `data_v` is `data-v`, None and False are left out."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"'{name}' is no name of an element.")
    head = name + "".join(
        f" {_attribute(key)}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Html(f"<{head}>")
    return Html(f"<{head}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Html:
    """Return children one after another."""
    return Html("".join(map(_text, children)))


def trusted(text: str) -> Html:
    """Take a text for markup; only for what this package wrote itself."""
    return Html(text)


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return str(child)
    if isinstance(child, (str, int, float)):
        return escape(str(child))
    return str(joined(*child))
