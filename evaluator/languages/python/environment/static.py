"""Reads Python files without running them: literal values, keyword arguments, assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.languages.python.parsing import last_name, parsed


class UnknownValue:
    """A value that only running the code would show."""


UNKNOWN = UnknownValue()


def parse(path: Path) -> ast.Module:
    """The syntax tree of a file; an empty one where it is absent or not Python 3."""
    try:
        source = path.read_bytes()
    except OSError:
        source = b""
    return parsed(source) or ast.Module(body=[], type_ignores=[])


def text_of(path: Path) -> str:
    """The text of a file; none where it is absent."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def setup_arguments(path: Path) -> dict[str, Any]:
    """The keyword arguments of the call of `setup` in a setup.py, as far as they are literal."""
    tree = parse(path)
    names = assignments(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) == "setup":
            return _keywords(node, names)
    return {}


def assignments(tree: ast.AST) -> dict[str, Any]:
    """Simple names assigned anywhere in a file; of several literal values the last one.

    Those for where a module is lacking come first: setuptools, and what else a project tries, is
    there.
    """
    names: dict[str, Any] = {}
    lacking = {id(node) for part in _for_lack_of_modules(tree) for node in ast.walk(part)}
    for node in sorted(ast.walk(tree), key=lambda node: id(node) not in lacking):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=expression):
                value = value_of(expression, names)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as expression):
                value = value_of(expression, names)
            case _:
                continue
        if value is not UNKNOWN:
            names[name] = value
    return names


def value_of(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of an expression, UNKNOWN where it is not literal.

    Items of lists and mappings that are not literal are left out.
    """
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return names.get(name, UNKNOWN)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return [v for item in items if (v := value_of(item, names)) is not UNKNOWN]
        case ast.Dict():
            return _mapping(node, names)
        case ast.Call(func=ast.Name(id="dict")):
            return _keywords(node, names)
    return _composed(node, names)


def _composed(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of what is put together from other values."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum(value_of(left, names), value_of(right, names))
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _formatted(value_of(left, names), value_of(right, names))
        case ast.JoinedStr(values=parts):
            return _joined([value_of(part, names) for part in parts])
        case ast.Call(func=ast.Attribute(value=place, attr="join"), args=parts) if (
            last_name(place) == "path"
        ):
            return _path([value_of(part, names) for part in parts])
        case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
            return value_of(inner, names)
    return UNKNOWN


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    """All functions of a file."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of all modules that a file imports absolutely."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name.partition(".")[0] for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module.partition(".")[0])
    return names


def _for_lack_of_modules(tree: ast.AST) -> Iterator[ast.ExceptHandler]:
    """What follows `except ImportError`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if {*map(last_name, caught)} & _LACKING:
                yield node


_LACKING = {ImportError.__name__, ModuleNotFoundError.__name__}
_OTHER_SYSTEMS = frozenset({"windows", "win32", "nt", "cygwin", "darwin", "macos"})
"""What `platform.system()`, `sys.platform` and `os.name` are where it is not Linux."""


def called_with(tree: ast.AST, function: str) -> list[str]:
    """All literal string arguments of calls of `function` (`session.install("pytest")`).

    Without those that are made on another system than Linux only.
    """
    elsewhere = {id(node) for part in _for_other_systems(tree) for node in ast.walk(part)}
    nodes = (node for node in ast.walk(tree) if id(node) not in elsewhere)
    calls = (n for n in nodes if isinstance(n, ast.Call) and last_name(n.func) == function)
    values = (value_of(argument, {}) for call in calls for argument in call.args)
    return [value for value in values if isinstance(value, str)]


def _for_other_systems(tree: ast.AST) -> Iterator[ast.stmt]:
    """What stands under `if platform.system() == "Windows"`, or `sys.platform.startswith(...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test=ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=name)])):
                pass
            case ast.If(test=ast.Call(func=ast.Attribute(attr="startswith"), args=[named])):
                name = value_of(named, {})
            case _:
                continue
        if str(name).lower() in _OTHER_SYSTEMS:
            yield from node.body


def called(tree: ast.AST) -> set[str]:
    """The names of all functions that a file calls."""
    return {last_name(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def _keywords(node: ast.Call, names: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for keyword in node.keywords:
        value = value_of(keyword.value, names)
        if keyword.arg is None and isinstance(value, dict):
            found |= value
        elif keyword.arg is not None and value is not UNKNOWN:
            found[keyword.arg] = value
    return found


def _mapping(node: ast.Dict, names: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        name = value_of(key, names) if key is not None else UNKNOWN
        value = value_of(item, names)
        if isinstance(name, str) and value is not UNKNOWN:
            found[name] = value
    return found


def _sum(left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    lists = [part for part in (left, right) if isinstance(part, list)]
    return [item for part in lists for item in part] if lists else UNKNOWN


def _formatted(template: Any, values: Any) -> Any:
    """`"mpmath>=%s" % version`; UNKNOWN where the values do not fit the template."""
    if not isinstance(template, str) or values is UNKNOWN:
        return UNKNOWN
    try:
        return template % (tuple(values) if isinstance(values, list) else values)
    except (TypeError, ValueError):
        return UNKNOWN


def _joined(parts: list[Any]) -> Any:
    return UNKNOWN if UNKNOWN in parts else "".join(str(part) for part in parts)


def _path(parts: list[Any]) -> Any:
    """`os.path.join("words", "version.py")`."""
    return str(PurePosixPath(*parts)) if all(isinstance(part, str) for part in parts) else UNKNOWN
