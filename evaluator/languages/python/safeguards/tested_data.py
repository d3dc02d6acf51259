"""Data that given tests read, in modules of Python that a change edits.

What is read is known by the package that it is imported from, "" for that of the test itself.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from evaluator.languages import tested_data
from evaluator.languages.python.parsing import last_name, parsed_leniently
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed
from evaluator.languages.tested_data import Read, lacking

_VIEWS = frozenset({"items", "keys", "values", "copy"})
"""Methods that give what a table holds: who calls another one of something tests that."""
_WRITTEN = (
    *(ast.Constant, ast.UnaryOp, ast.unaryop, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.expr_context),
)
"""Nodes of values that stand there, such as `{"end": [date(2023, 1, -1)]}`."""
_TAKING = frozenset(
    {"clear", "pop", "popitem", "remove", "discard", "update", "sort", "reverse"}
    | {"difference_update", "intersection_update", "symmetric_difference_update"}
)
"""Methods that make a table another, but for those that only add to it."""


def edited_data(changed: Changed, base: BaseTree) -> tuple[Concern, ...]:
    """The modules in which a change edits data that given tests read.

    That is where they stand, or by what code does to them.
    """
    readers = {path: _read(content) for path, content in _readers(changed, base)}
    return tuple(tested_data.edited_data(changed, base, ".py", readers, _edited))


def _readers(changed: Changed, base: BaseTree) -> Iterator[tuple[str, bytes]]:
    """The given tests, and each conftest.py above them, with their contents."""
    given = {path: test for path, test in base.given(changed).items() if path.endswith(".py")}
    yield from given.items()
    folders = {folder for path in given for folder in PurePosixPath(path).parents}
    for path in sorted(str(folder / "conftest.py") for folder in folders):
        if (content := base.source(path)) is not None:
            yield path, content


def _read(content: bytes) -> frozenset[Read]:
    """What a module reads of what it imports, but for what it calls methods of."""
    tree = parsed_leniently(content) or ast.Module([], [])
    nodes = list(ast.walk(tree))
    imported = {local: read for node in nodes for local, read in _imported(node)}
    methods = [node.func for node in nodes if isinstance(node, ast.Call)]
    tested = {
        id(method.value)
        for method in methods
        if isinstance(method, ast.Attribute) and method.attr not in _VIEWS
    }
    names = (node for node in nodes if id(node) not in tested)
    return frozenset(read for node in names for read in _read_by(node, imported))


def _imported(node: ast.AST) -> Iterator[tuple[str, Read]]:
    """The names that an import gives to things, and what these are."""
    match node:
        case ast.Import(names=aliases):
            for each in aliases:
                package = each.name.partition(".")[0]
                yield each.asname or package, (package, each.name.rpartition(".")[2])
        case ast.ImportFrom(module=module, names=aliases, level=level):
            package = "" if level else (module or "").partition(".")[0]
            for each in aliases:
                yield each.asname or each.name, (package, each.name)


def _read_by(node: ast.AST, imported: Mapping[str, Read]) -> Iterator[Read]:
    match node:
        case ast.Name(id=name) if name in imported:
            yield imported[name]
        case ast.Name(id=name) if "*" in imported:
            yield imported["*"][0], name
        case ast.Attribute(attr=name):
            if (owner := _owner(node)) in imported:
                yield imported[owner][0], name


def _edited(path: str, old: bytes, new: bytes, wanted: Collection[Read]) -> Mapping[Read, str]:
    """What is read of a module's package, and lacks something by the new content of the module."""
    packages = {"", *PurePosixPath(path).with_suffix("").parts}
    # What has underscores around it says something of the module, its version for one.
    near = [read for read in wanted if read[0] in packages and not read[1].startswith("__")]
    names = {name for _, name in near}
    before, after = (_data(content, names) for content in (old, new))
    done, doing = (Counter(_made_others(content, names, before)) for content in (old, new))
    found = lacking(before, after) | {name for name, _ in doing - done}
    return {read: read[1] for read in near if read[1] in found}


def _made_others(
    content: bytes, names: Collection[str], own: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Each of some names that a module replaces or takes something from, with the code for it.

    They are its `own`, or of what it imports.
    """
    nodes = list(ast.walk(parsed_leniently(content) or ast.Module([], [])))
    known = {*own, *(local for node in nodes for local, _ in _imported(node))}
    for node in nodes:
        for target in (*_replaced(node), *_lessened(node)):
            name = last_name(target)
            if name in names and _owner(target) in known:
                yield name, ast.dump(node)


def _replaced(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Global(names=names):
            yield from map(ast.Name, names)
        case ast.Name(ctx=ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield node
        case ast.Call(
            func=ast.Name(id="setattr" | "delattr"),
            args=[owner, ast.Constant(value=str(name)), *_],
        ):
            yield ast.Attribute(owner, name)


def _lessened(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.AugAssign(target=target, op=operator) if not isinstance(operator, ast.Add):
            yield target
        case ast.Subscript(value=target, ctx=ast.Store() | ast.Del()):
            yield target
        case ast.Call(func=ast.Attribute(value=target, attr=method)) if method in _TAKING:
            yield target


def _owner(node: ast.expr) -> str:
    """The name that an expression such as `package.module.name` begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return last_name(node)


def _data(content: bytes, names: Collection[str]) -> Mapping[str, Counter[str]]:
    """What a module sets names to at last; each item of a table is one for itself.

    Nothing where that is worked out.
    """
    found: dict[str, Counter[str]] = {}
    for node in _statements(parsed_leniently(content) or ast.Module([], [])):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in names:
                found[name] = _items(value) if _is_data(value) else Counter()
    return found


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module, also those in its conditions, loops and other blocks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler)):
            yield child
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from _statements(child)


def _is_data(value: ast.expr) -> bool:
    """Whether all of it stands there: nothing is worked out, and it is no other name."""
    return not isinstance(value, (ast.Name, ast.Attribute)) and all(
        isinstance(node, _WRITTEN) for node in ast.walk(value)
    )


def _items(value: ast.expr) -> Counter[str]:
    match value:
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return Counter(
                f"{ast.dump(key) if key else ''}: {ast.dump(each)}" for key, each in pairs
            )
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return Counter(map(ast.dump, items))
    return Counter([ast.dump(value)])
