"""What callers can no longer do with public functions and classes: no test has to do it."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.languages.python.parsing import (
    Function,
    base_names,
    last_name,
    parsed_leniently,
)
from evaluator.languages.python.safeguards.constructors import made_constructor

_CALLED_AS_WRITTEN = frozenset({"staticmethod", "classmethod"})
"""Decorators behind which callers still see the parameters that are written there."""
_BY_CALLS = frozenset({"__init__", "__call__"})
_HASHED = frozenset({"object", "ABC", "Generic", "Protocol", "Enum", "Exception", "ValueError"})
"""Classes whose objects have hashes, and those of classes that inherit from them."""


@dataclass(frozen=True)
class _Parameters:
    """What a function needs and takes: by place, at most so many, and by `names`.

    Those of `needed_by_name` have no place.
    """

    needed: Sequence[str]
    most: float
    needed_by_name: frozenset[str]
    names: frozenset[str]
    takes_any_name: bool

    @staticmethod
    def of(arguments: ast.arguments, *, bound: bool) -> _Parameters:
        """Those of a definition; a bound one gets its first from Python."""
        places = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        needed = places[: len(places) - len(arguments.defaults)][bound:]
        places = places[bound:]
        by_name = [each.arg for each in arguments.kwonlyargs]
        defaults = zip(by_name, arguments.kw_defaults, strict=True)
        nameless = {each.arg for each in arguments.posonlyargs}
        return _Parameters(
            needed=needed,
            most=math.inf if arguments.vararg else len(places),
            needed_by_name=frozenset(name for name, default in defaults if default is None),
            names=frozenset((*places, *by_name)) - nameless,
            takes_any_name=arguments.kwarg is not None,
        )

    def refused(self, new: _Parameters) -> Iterator[str]:
        """What the new parameters do not let callers do who did as these allow."""
        known = {*self.needed, *self.needed_by_name}
        more = sorted(new.needed_by_name - known)
        if len(new.needed) > len(self.needed):
            more = [name for name in new.needed if name not in known] + more
        if more:
            yield f"needs {', '.join(more)}"
        gone = sorted(self.names - new.names)
        if new.most < self.most:
            yield f"takes no more than {new.most} argument{'s' if new.most != 1 else ''}"
        elif gone and not new.takes_any_name:
            yield f"has no parameter {', '.join(gone)}"


def refused_calls(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """How public functions of a file can no longer be called, or objects be put into sets.

    What is defined twice, or decorated by what may make it another thing, is left out, and so are
    modules, classes and functions that are private by their names.
    """
    if not path.endswith(".py") or _is_private(path):
        return
    before, after = _definitions(old), _definitions(new)
    for name in sorted(before.keys() & after.keys()):
        shown = name.removesuffix(".__init__")
        yield from (f"{shown} {what}" for what in _refused(before[name], after[name]))


def _is_private(path: str) -> bool:
    parts = (part for part in PurePosixPath(path).parts if part != "__init__.py")
    return any(part.startswith("_") for part in parts)


_Definition = _Parameters | ast.ClassDef


def _refused(old: _Definition, new: _Definition) -> Iterator[str]:
    match old, new:
        case _Parameters(), _Parameters():
            yield from old.refused(new)
        case ast.ClassDef(), ast.ClassDef() if _has_hash(old) and not _has_hash(new):
            yield "gains __eq__ without __hash__, and fits into no set any more"


def _has_hash(node: ast.ClassDef) -> bool:
    """Whether Python leaves objects the hash of their bases, or the class has one of its own.

    https://docs.python.org/3/reference/datamodel.html#object.__hash__
    """
    own = {each.name for each in node.body if isinstance(each, Function)}
    own |= {
        last_name(t) for each in node.body if isinstance(each, ast.Assign) for t in each.targets
    }
    return "__hash__" in own or "__eq__" not in own


def _definitions(source: bytes) -> Mapping[str, _Definition]:
    """The public functions and classes of a module of which is known what they allow."""
    tree = parsed_leniently(source)
    found = list(_within(tree.body)) if tree is not None else []
    times = Counter(name for name, _ in found)
    return {name: each for name, each in found if each is not None and times[name] == 1}


def _within(body: Sequence[ast.stmt], owner: str = "") -> Iterator[tuple[str, _Definition | None]]:
    """What a module defines, or the class `owner`; None for what may be another thing."""
    for node in body:
        match node:
            case ast.ClassDef(name=name, body=members) if _is_public(name):
                yield f"{owner}{name}", node if _is_plain(node) else None
                if (made := made_constructor(node)) is not None:
                    yield f"{owner}{name}.__init__", _Parameters.of(made, bound=False)
                yield from _within(members, f"{owner}{name}.")
            case ast.If(body=some, orelse=others):
                yield from _within([*some, *others], owner)
            case ast.Try(body=some, handlers=handlers, orelse=others):
                tried = [statement for each in handlers for statement in each.body]
                yield from _within([*some, *tried, *others], owner)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _is_public(node.name):
                yield f"{owner}{node.name}", _parameters(node, is_method=bool(owner))


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name in _BY_CALLS


def _is_plain(node: ast.ClassDef) -> bool:
    """Whether nothing decorates a class, and its bases are known to have hashes."""
    return not (node.decorator_list or node.keywords) and base_names(node) <= _HASHED


def _parameters(node: Function, *, is_method: bool) -> _Parameters | None:
    marks = {last_name(mark) for mark in node.decorator_list}
    if not marks <= _CALLED_AS_WRITTEN:
        return None
    return _Parameters.of(node.args, bound=is_method and "staticmethod" not in marks)
