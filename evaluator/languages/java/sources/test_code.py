"""What the code of tests says: the names that they use, and what they assert."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages.java.sources.assertions import assertions, message_is_first
from evaluator.languages.java.sources.declarations import (
    TEST_MARK,
    Declaration,
    fields_named,
    marks,
    methods,
    methods_named,
    spans,
)
from evaluator.languages.java.syntax import field, first_line, found, parsed, text
from evaluator.model import TestOutcome, Transition
from evaluator.test_names import function_of

_ANNOTATED = re.compile(rb"@(?:%b)\b" % TEST_MARK.encode())
_NAMED = re.compile(rb"\bvoid\s+test\w*\s*\(")
_AFFIXES = re.compile(r"^Test(?=[A-Z])|(?:Tests?|TestCase|IT)$")
_SET_UP = frozenset(
    {"Before", "BeforeEach", "BeforeClass", "BeforeAll", "BeforeMethod", "Rule", "ClassRule"}
    | {"BeforeSuite", "BeforeTest", "BeforeGroups", "DataProvider"}
)
_NAMES = ("identifier", "type_identifier")
_TEXT = re.compile(r'"""\s*?\n(.*)"""|"(.*)"', re.DOTALL)


def count_tests(content: bytes) -> int:
    """How many methods of a file are annotated as tests, or named as JUnit 3 has it."""
    return max(len(_ANNOTATED.findall(content)), len(_NAMED.findall(content)))


def subject_of(path: str) -> str:
    """What a test file is named for: `Foo` for `FooTest`, `FooTests`, `TestFoo` and `FooIT`."""
    stem = PurePosixPath(path).stem
    return _AFFIXES.sub("", stem) or stem


def names_used(outcome: TestOutcome, source: Source) -> frozenset[str]:
    """Every name in a test's method and in what is set up for it.

    Those of the whole file where the method is not found there, none where there is no code.
    """
    root = _root(outcome.file, source)
    if root is None:
        return frozenset()
    tests = methods_named(root, function_of(outcome.test))
    parts = [each.node for each in (*tests, *_set_up(root))] if tests else [root]
    return frozenset(text(name) for part in parts for name in found(part, *_NAMES))


def compared(outcome: TestOutcome, source: Source) -> tuple[tuple[str, ...], ...]:
    """The sides of the assertions in the test that may have failed, as code.

    That is those on the line of the failure where it is known, else all of the test's method. For
    a name that the method sets stands what it was set to.
    """
    root = _root(outcome.file, source)
    if root is None:
        return ()
    tests, line = _failed(root, outcome)
    return tuple(
        tuple(_resolved(side, test.node) for side in assertion.sides)
        for test in tests
        for assertion in assertions(test.node, message_first=message_is_first(root))
        if line is None or spans(assertion.node, line)
    )


def only_negative(outcome: TestOutcome, source: Source) -> bool:
    """Whether a test says only what must not be: a value, or an error.

    Any other behaviour satisfies it, a wrong one too. What counts is the assertion that failed, or
    all of the test's method where it failed otherwise.
    """
    root = _root(outcome.file, source)
    if root is None:
        return False
    tests, line = _failed(root, outcome)
    known = [each for test in tests for each in assertions(test.node)]
    failed = [each for each in known if line is not None and spans(each.node, line)]
    expecting = any("expected" in text(marks(test.node).get("Test")) for test in tests)
    return bool(tests) and not expecting and all(each.denies for each in failed or known)


def texts(test: TestOutcome | Transition, source: Source) -> Iterator[str]:
    """The literal texts in a test's method."""
    root = _root(test.file, source)
    methods = () if root is None else methods_named(root, function_of(test.test))
    for method in methods:
        yield from texts_in(method.node)


def texts_in(node: Node) -> Iterator[str]:
    """The literal texts in a part of a file, escapes as they are written."""
    for literal in found(node, "string_literal"):
        match = _TEXT.fullmatch(text(literal))
        if match is not None:
            yield match[1] or match[2] or ""


def _root(path: str, source: Source) -> Node | None:
    content = source(path) if path.endswith(".java") else None
    return None if content is None else parsed(content)


def _set_up(root: Node) -> list[Declaration]:
    """The methods that run before each test."""
    return [
        method
        for method in methods(root)
        if method.name == "setUp" or not _SET_UP.isdisjoint(marks(method.node))
    ]


def _failed(root: Node, outcome: TestOutcome) -> tuple[Sequence[Declaration], int | None]:
    """The methods of the test's file that failed, and the line in them where that is known."""
    frame = outcome.failure.frame if outcome.failure else None
    line = frame.line if frame is not None and frame.path == outcome.file else None
    around = [method for method in methods(root) if line is not None and spans(method.node, line)]
    return around or methods_named(root, function_of(outcome.test)), line if around else None


def _resolved(side: Node, method: Node) -> str:
    """A side of an assertion, or what a name that it is was last set to before it."""
    values = [
        field(declarator, "value")
        for name, declarator in fields_named(method)
        if side.type == "identifier" and name == text(side)
        if first_line(declarator) <= first_line(side)
    ]
    return text(next((value for value in reversed(values) if value is not None), side))
