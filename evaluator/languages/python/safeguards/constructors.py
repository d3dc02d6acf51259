"""The constructors that dataclasses, attrs and named tuples make of the fields of a class."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.languages.python.parsing import (
    Function,
    base_names,
    last_name,
    without_brackets,
)

_OF_ATTRS = frozenset({"define", "frozen", "mutable"})
_MAKERS = frozenset({"dataclass", *_OF_ATTRS})
"""Decorators that make a constructor: dataclasses', pydantic's, and those of attrs."""
_TUPLE = "NamedTuple"
_WITHOUT_FIELDS = frozenset({"object", "ABC", "Generic", "Protocol", _TUPLE})
_NO_FIELDS = frozenset({"ClassVar", "KW_ONLY"})
_DESCRIBED_BY = frozenset({"field", "ib", "attrib"})
_DEFAULTS = frozenset({"default", "default_factory", "factory"})


@dataclass(frozen=True)
class _Field:
    name: str
    has_default: bool
    by_name: bool


def made_constructor(node: ast.ClassDef) -> ast.arguments | None:
    """The parameters of the constructor that is made for a class, without `self`.

    None where none is made of annotated fields, or where the class has one of its own. What a class
    inherits is not looked for: where it may have such fields, any more may be given.
    https://docs.python.org/3/library/dataclasses.html#dataclasses.dataclass
    https://www.attrs.org/en/stable/api.html#attrs.define
    """
    maker = _maker(node)
    own = any(isinstance(each, Function) and each.name == "__init__" for each in node.body)
    if maker is None or own or _is(_keywords(maker).get("init"), value=False):
        return None
    by_name = _is(_keywords(maker).get("kw_only"), value=True)
    fields = list(_fields(node.body, by_name=by_name))
    if last_name(_called(maker)) in _OF_ATTRS:
        fields = [dataclasses.replace(each, name=each.name.lstrip("_")) for each in fields]
    return _arguments(fields, complete=_has_all_fields(node))


def _maker(node: ast.ClassDef) -> ast.expr | None:
    """What has a constructor made: a decorator, or the base of named tuples."""
    marks = (mark for mark in node.decorator_list if last_name(_called(mark)) in _MAKERS)
    bases = (base for base in node.bases if last_name(base) == _TUPLE)
    return next(marks, None) or next(bases, None)


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _keywords(node: ast.expr | None) -> dict[str | None, ast.expr]:
    return {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}


def _is(node: ast.expr | None, *, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _has_all_fields(node: ast.ClassDef) -> bool:
    return base_names(node) <= _WITHOUT_FIELDS


def _fields(body: Sequence[ast.stmt], *, by_name: bool) -> Iterator[_Field]:
    """The fields that a constructor takes, in their order."""
    for each in body:
        if not (isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)):
            continue
        kind = last_name(without_brackets(each.annotation))
        by_name = by_name or kind == "KW_ONLY"
        if kind not in _NO_FIELDS:
            yield from _field(each.target.id, each.value, by_name=by_name)


def _field(name: str, value: ast.expr | None, *, by_name: bool) -> Iterator[_Field]:
    given = _keywords(value)
    if _is(given.get("init"), value=False):
        return
    described = isinstance(value, ast.Call) and last_name(value.func) in _DESCRIBED_BY
    has_default = bool(given.keys() & _DEFAULTS) if described else value is not None
    yield _Field(name, has_default, by_name or _is(given.get("kw_only"), value=True))


def _arguments(fields: Sequence[_Field], *, complete: bool) -> ast.arguments:
    placed = [each for each in fields if not each.by_name]
    named = [each for each in fields if each.by_name]
    default = ast.Constant(None)
    return ast.arguments(
        posonlyargs=[],
        args=[ast.arg(each.name) for each in placed],
        vararg=None if complete else ast.arg("inherited"),
        kwonlyargs=[ast.arg(each.name) for each in named],
        kw_defaults=[default if each.has_default else None for each in named],
        kwarg=None if complete else ast.arg("inherited"),
        defaults=[default for each in placed if each.has_default],
    )
