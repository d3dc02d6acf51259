"""What the names in a module stand for, as far as its imports tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_THROUGH_OTHERS = frozenset({"sys", "os"})
"""Modules that others hold as attributes."""
_MOST_PARTS = 20
"""Sources from outside have chains of thousands."""


@dataclass(frozen=True)
class ImportedNames:
    """The names that stand for something imported, and the dotted names of what that is."""

    names: Mapping[str, str]

    @classmethod
    def of(cls, *trees: ast.AST) -> ImportedNames:
        """Those of some statements of one module: by imports, and by assignments of these."""
        names = {name: dotted for tree in trees for name, dotted in _imported(tree)}
        known = cls(names)
        values = (pair for tree in trees for pair in assigned(tree))
        return cls({**names, **{n: dotted for n, v in values if (dotted := known.dotted(v))}})

    def dotted(self, node: ast.expr) -> str:
        """The dotted name of what an expression is, as `logging.getLogger()`; "" for others."""
        parts: list[str] = []
        while len(parts) < _MOST_PARTS:
            match node:
                case ast.Name(id=name):
                    known = self.names.get(name, "")
                    return known and "".join([known, *reversed(parts)])
                case ast.Attribute(attr=name) if name in _THROUGH_OTHERS:
                    return "".join([name, *reversed(parts)])
                case ast.Attribute(value=node, attr=name):
                    parts.append(f".{name}")
                case ast.Call(
                    func=ast.Name(id="getattr"), args=[node, ast.Constant(value=str(name)), *_]
                ):
                    parts.append(f".{name}")
                case ast.Call(func=node, args=[], keywords=[]):
                    parts.append("()")
                case _:
                    return ""
        return ""


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that imports give, and the dotted names of what they are."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (_bound(name.name, name.asname) for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((n.asname or n.name, f"{module}.{n.name}") for n in names)


def _bound(module: str, alias: str | None) -> tuple[str, str]:
    """`import a.b` gives the name of `a`, `import a.b as c` gives one to `a.b`."""
    top = module.partition(".")[0]
    return (alias, module) if alias else (top, top)


def assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The variables that statements assign, and the values."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                yield name, value
