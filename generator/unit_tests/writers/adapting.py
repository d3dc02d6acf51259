"""A test of another class made one of a method: names exchanged, and written out."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from tree_sitter import Node

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.languages.java.sources.declarations import TYPES, declarations, fields_named
from evaluator.languages.java.syntax import field, found, parsed, text
from generator.languages.java.structure import encoded
from generator.unit_tests.code import canonical_name, simple_name
from generator.unit_tests.names import (
    called_in_full,
    edited,
    imported,
    imported_classes,
    imported_members,
    written_out,
)
from generator.unit_tests.style import assertions

_WORD = re.compile(r"\b[A-Za-z_$][\w$]*\b")
_ASSERTING = re.compile(r"assert\w*|fail")
_BEFORE = "class A {\n"


def adapted(test: str, other: FocalMethod, own: FocalMethod) -> tuple[int, str]:
    """A test of another method, as one of a method; how many names it uses that are not there.

    These are fields and methods that the other test class has, and the method's does not.
    """
    renamed = _renamed(test, other, own)
    source = encoded(f"{_BEFORE}{renamed}\n}}")
    root = parsed(source)
    if root is None:
        return len(test), renamed
    lacking = _members(other.test_context) - _members(own.test_context)
    used = {text(node) for node in found(root, "identifier")}
    edits = {
        *written_out(root, _types(other, own)),
        *called_in_full(root, _calls(root, other, own)),
    }
    return len(lacking & used), edited(source, edits)[len(_BEFORE) : -len("\n}")]


def _renamed(test: str, other: FocalMethod, own: FocalMethod) -> str:
    """With the names of the other class, its variables and its method exchanged."""
    old, new = simple_name(other.focal_class), simple_name(own.focal_class)
    names = {old: new, _variable(old): _variable(new), other.name: own.name}
    return _WORD.sub(lambda word: names.get(word[0], word[0]), test)


def _variable(class_name: str) -> str:
    return class_name[:1].lower() + class_name[1:]


def _types(other: FocalMethod, own: FocalMethod) -> Mapping[str, str]:
    """What the other test class imports or has from its package, and the method's does not."""
    known, package = imported(own.test_context), _package(own.test_class)
    names = {
        **{simple_name(each): canonical_name(each) for each in (other.test_class, own.focal_class)},
        **imported(other.test_context),
    }
    return {
        name: full
        for name, full in names.items()
        if name not in known and full.rpartition(".")[0] != package
    }


def _package(class_name: str) -> str:
    return class_name.rpartition(".")[0]


def _calls(root: Node, other: FocalMethod, own: FocalMethod) -> Mapping[str, str]:
    """Static methods that the other test class imports, and assertions that no import brings."""
    known, whole = imported_members(own.test_context), imported_classes(own.test_context)
    there = {
        name: full
        for name, full in imported_members(other.test_context).items()
        if name not in known and full.rpartition(".")[0] not in whole
    }
    if any(name.endswith(("Assert", "Assertions", "AssertJUnit")) for name in whole):
        return there
    called = {text(field(call, "name")) for call in found(root, "method_invocation")}
    asserting = {name for name in called - known.keys() if _ASSERTING.fullmatch(name)}
    return {**{name: f"{assertions(own)}.{name}" for name in asserting}, **there}


@functools.lru_cache(maxsize=512)  # Methods of one class have tests in one class.
def _members(context: str) -> frozenset[str]:
    """The names of the fields and methods of a test class."""
    root = parsed(encoded(context))
    if root is None:
        return frozenset()
    declared = {each.name for each in declarations(root) if each.node.type not in TYPES}
    return frozenset(declared | {name for name, _ in fields_named(root)}) - {""}
