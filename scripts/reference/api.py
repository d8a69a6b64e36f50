"""Every public name of the package, from its source: signature and documentation."""

import ast
import inspect
import textwrap
from types import ModuleType
from typing import Any

import brittle
from scripts.reference._markdown import cell, code, table

WIDTH = 88


def make() -> str:
    """Return a section a name."""
    found = [(name, getattr(brittle, name)) for name in brittle.__all__]
    return "\n" + "\n".join(section(name, value) for name, value in found)


def section(name: str, value: Any) -> str:
    """Return the section of a function, a class, a module or a text."""
    if isinstance(value, ModuleType):
        return _errors(name, value)
    if not callable(value):
        return f"## brittle.{escaped(name)}\n\nThe version, a text.\n"
    parts = [f"## brittle.{name}\n"]
    if not inspect.isclass(value):
        return "\n".join([*parts, _signature(value), *_told(value)])
    parts += [f"A class of `{value.__module__}`.\n"] if value.__module__[8:9] != "_" else []
    parts += _told(value)
    if not issubclass(value, Exception):
        parts += _members(value)
    return "\n".join(parts)


def escaped(name: str) -> str:
    """Return a name whose underscores are no emphasis."""
    return name.replace("__", "\\_\\_")


def _fields(kind: type) -> list[str]:
    """Return the table of the fields of a dataclass or NamedTuple, with what stands below each."""
    body = _tree(kind).body
    lines = []
    for place, node in enumerate(body):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        below = body[place + 1] if place + 1 < len(body) else None
        said = below.value if isinstance(below, ast.Expr) else None
        about = str(said.value) if isinstance(said, ast.Constant) else ""
        made = isinstance(node.value, ast.Call)
        default = f" = {ast.unparse(node.value)}" if node.value and not made else ""
        typed = f"{ast.unparse(node.annotation)}{default}"
        lines.append((code(node.target.id), code(typed), cell(about)))
    return [table(("field", "type", "is"), lines)] if lines else []


def _members(kind: type) -> list[str]:
    """Return the fields, how an object is made, and its public methods and properties."""
    parts = _fields(kind)
    for key, member in vars(kind).items():
        target = member.fget if isinstance(member, property) else member
        target = getattr(target, "__func__", getattr(target, "func", target))
        if not inspect.isfunction(target):
            continue
        if key.startswith("_") and key not in ("__init__", "__call__"):
            continue
        if _written(target) is None or key == "__post_init__":  # made by a decorator
            continue
        plain = not isinstance(member, property) and not hasattr(member, "func")
        parts.append(f"### {kind.__name__}.{escaped(key)}\n")
        parts += [_signature(target)] if plain else ["A property.\n"]
        parts += _told(target)
    return parts


def _errors(name: str, module: ModuleType) -> str:
    """Return the tree of errors."""
    kinds = [one for _, one in inspect.getmembers(module, inspect.isclass)]
    mine = [one for one in kinds if one.__module__ == module.__name__]
    mine.sort(key=lambda one: (len(one.__mro__), one.__name__))
    lines = [f"## brittle.{name}\n", f"{inspect.getdoc(module)}\n"]
    for one in mine:
        base = one.__mro__[1].__name__
        lines.append(
            f"- `{one.__name__}` ({base}): {' '.join((inspect.getdoc(one) or '').split())}"
        )
    return "\n".join(lines) + "\n"


def _tree(kind: type) -> ast.ClassDef:
    """Return a class as it is written."""
    found = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(found, ast.ClassDef)
    return found


def _written(target: Any) -> ast.FunctionDef | None:
    """Return a function as it is written; None where there is no source of it."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(target)))
    except (OSError, TypeError, SyntaxError):
        return None
    found = tree.body[0] if tree.body else None
    return found if isinstance(found, ast.FunctionDef) else None


def _signature(target: Any) -> str:
    """Return the signature as it is written, in lines that fit the page."""
    node = _written(target)
    assert node is not None, target
    back = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    arguments = _arguments(node.args)
    line = f"{node.name}({', '.join(arguments)}){back}"
    if len(line) > WIDTH:
        inner = "".join(f"    {one},\n" for one in arguments)
        line = f"{node.name}(\n{inner}){back}"
    return f"```py\n{line}\n```\n"


def _arguments(args: ast.arguments) -> list[str]:
    """Return the arguments one by one, as they are written, without `self`."""
    found = []
    plain = [*args.posonlyargs, *args.args]
    given = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    if plain and plain[0].arg in ("self", "cls"):
        plain, given = plain[1:], given[1:]
    for arg, default in zip(plain, given, strict=True):
        found.append(_argument(arg, default))
    if args.vararg:
        found.append(f"*{ast.unparse(args.vararg)}")
    elif args.kwonlyargs:
        found.append("*")
    for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_argument(arg, value))
    return [*found, f"**{ast.unparse(args.kwarg)}"] if args.kwarg else found


def _argument(arg: ast.arg, default: ast.expr | None) -> str:
    if default is None:
        return ast.unparse(arg)
    return f"{ast.unparse(arg)} = {ast.unparse(default)}"


def _told(value: Any) -> list[str]:
    """Return the paragraphs of a documentation; its examples as a session."""
    parts = []
    for block in (inspect.getdoc(value) or "").split("\n\n"):
        fenced = block.startswith(">>>")
        parts.append(f"```pycon\n{block}\n```\n" if fenced else f"{block}\n")
    return parts
