"""The statements in which two versions of a module differ, and the functions that are touched."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages.python.parsing import (
    Defined,
    Function,
    first_line,
    named_functions,
    parsed,
    parsed_leniently,
)
from evaluator.languages.sources import Touched


@dataclass(frozen=True)
class AddedStatements:
    """Statements of a module that the other version does not have, and its imports.

    Of a class that stands on both sides, only the differing statements are there.
    """

    statements: ast.Module = field(default_factory=lambda: ast.Module([], []))
    imports: ast.Module = field(default_factory=lambda: ast.Module([], []))


def differing(old: bytes | None, new: bytes | None) -> tuple[AddedStatements, AddedStatements]:
    """What stands in the old version of a module only, and what in the new one only.

    A version that is absent, or no Python, has no statement.
    """
    before, after = _pieces(old), _pieces(new)
    return _only(old, before - after), _only(new, after - before)


def _pieces(content: bytes | None) -> Counter[bytes]:
    tree = parsed_leniently(content or b"")
    if tree is None:
        return Counter()
    lines = (content or b"").splitlines()
    return Counter(_text(statement, lines) for statement in _statements(tree))


def _only(content: bytes | None, wanted: Counter[bytes]) -> AddedStatements:
    tree = parsed_leniently(content or b"")
    if tree is None or not content:
        return AddedStatements()
    lines = content.splitlines()
    kept = [s for s in (_cut(statement, lines, wanted) for statement in tree.body) if s]
    imports = [statement for statement in tree.body if not isinstance(statement, Defined)]
    return AddedStatements(ast.Module(kept, []), ast.Module(imports, []))


def _cut(statement: ast.stmt, lines: list[bytes], wanted: Counter[bytes]) -> ast.stmt | None:
    """A statement if it is wanted, a class with those of its statements that are, or nothing."""
    if _text(statement, lines) in wanted:
        return statement
    if not isinstance(statement, ast.ClassDef):
        return None
    body = [s for s in (_cut(inner, lines, wanted) for inner in statement.body) if s]
    return ast.ClassDef(statement.name, statement.bases, [], body, []) if body else None


def _statements(tree: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """The statements of a module, each class in its parts."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, ast.ClassDef):
            yield from _statements(statement)


def _text(statement: ast.stmt, lines: list[bytes]) -> bytes:
    """The lines of a statement; of a class, those before its body."""
    first = first_line(statement)
    last = statement.end_lineno or first
    if isinstance(statement, ast.ClassDef):
        last = max(first, statement.body[0].lineno - 1)
    return b"\n".join(lines[first - 1 : last])


def touched(path: str, source: Source, new: bytes | None) -> Touched:
    """What a change of one file touches; `source` reads the base.

    A new file, and one that is no Python, touches the package that it lies in. Functions begin
    where their decorators do, as in code objects.
    """
    before = source(path)
    stem = PurePosixPath(path).stem
    if before is None or not path.endswith(".py"):
        package = _package(path, source)
        return Touched(files=package, loaded=package, names=frozenset({stem}))
    old, now = parsed(before), parsed(new or b"")
    if old is None or now is None:
        return Touched(files=frozenset({path}), loaded=frozenset({path}), names=frozenset({stem}))
    changed = _rewritten(old, now)
    lines = frozenset(first_line(node) for nodes in changed.values() for node in nodes)
    return Touched(
        files=frozenset({path}),
        functions={path: lines},
        loaded=frozenset({path} if _loads_otherwise(old, now) else ()),
        names=frozenset({stem, *(part for name in changed for part in name.split("."))}),
    )


def _package(path: str, source: Source) -> frozenset[str]:
    """The package that holds a file; none where it lies in no package."""
    initial = str(PurePosixPath(path).with_name("__init__.py"))
    return frozenset({initial} if source(initial) is not None else ())


def _rewritten(old: ast.Module, new: ast.Module) -> Mapping[str, Sequence[Function]]:
    """The functions of a module that another version of it does not have as they are."""
    before, after = _functions(old), _functions(new)
    return {
        name: nodes
        for name, nodes in before.items()
        if [ast.dump(node) for node in nodes] != [ast.dump(node) for node in after.get(name, ())]
    }


def _functions(tree: ast.AST) -> Mapping[str, Sequence[Function]]:
    """The functions of a module by qualified name; a property has several of one name."""
    found: dict[str, list[Function]] = defaultdict(list)
    for name, node in named_functions(tree):
        found[name].append(node)
    return found


def _loads_otherwise(old: ast.Module, new: ast.Module) -> bool:
    """Whether loading a module does something else: its names and texts aside, none is missing."""
    before, after = Counter(_outside(old)), Counter(_outside(new))
    return before != after or not set(_provided(old)) <= set(_provided(new))


def _provided(tree: ast.Module) -> Iterator[str]:
    """What a module imports, and its functions: further ones change nothing for others."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (f"{ast.dump(alias)} {getattr(node, 'module', '')}" for alias in node.names)
        elif isinstance(node, Function):
            yield node.name


def _outside(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    """What runs when a module is loaded, the bodies of functions left out."""
    for node in tree.body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                continue
            case ast.ClassDef():
                heads = [*node.decorator_list, *node.bases, *node.keywords]
                yield " ".join([node.name, *map(ast.dump, heads)])
                yield from (f"{node.name}.{part}" for part in _outside(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.decorator_list or isinstance(tree, ast.ClassDef):
                    yield " ".join([node.name, *map(ast.dump, node.decorator_list)])
            case _:
                yield ast.dump(node)
