"""Test classes without their tests, so that only inserted tests count (thesis, section 3.4.7).

What is left is the scaffold: imports, fields, set-up and helpers. The thesis removes methods that
are annotated as tests; here those of JUnit 3 and TestNG that are tests by inheritance go as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.benchmarks.tests4j.declared_tests import DeclaredTests, tests_in
from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType, read_java
from evaluator.languages.java.sources.declarations import DISABLING, has_test_mark, marks
from evaluator.languages.java.syntax import field, found, parsed, text

_COMMENTS = ("line_comment", "block_comment")
_LOSSLESS = ("utf-8", "surrogateescape")


@dataclass(frozen=True)
class _Cut:
    """Bytes to leave out."""

    start: int
    end: int


def strip_tests(source: str, known: DeclaredTests | None = None) -> str:
    """A Java file without its tests and the comments above them.

    What disables all tests of a class goes as well: samples could not run in it.
    `known` knows the types that the file's inherit from; without it, those of the file itself
    count. A test that other code of the file calls stays, without being a test. A file without
    tests, or that cannot be read, stays as it is.
    """
    content = source.encode(*_LOSSLESS)
    return _stripped(read_java("", content), content, known).decode(*_LOSSLESS)


def strip_repository(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Those of some Java files that have tests, by path, without these.

    The files are all that test classes inherit from, as far as the repository has it.
    """
    read = {path: read_java(path, content) for path, content in files.items()}
    known = DeclaredTests(read.values())
    stripped = {path: _stripped(read[path], content, known) for path, content in files.items()}
    return {path: content for path, content in stripped.items() if content != files[path]}


def names_of_tests(source: str, known: DeclaredTests | None = None) -> tuple[str, ...]:
    """The names of the tests in a Java file, in the order of its types."""
    file = read_java("", source.encode(*_LOSSLESS))
    return tuple(method.name for method in tests_in(file, known or DeclaredTests([file])))


def _stripped(file: JavaFile, content: bytes, known: DeclaredTests | None) -> bytes:
    tests = list(tests_in(file, known or DeclaredTests([file])))
    called = _called(content, tests)
    cuts = [cut for test in tests for cut in _cuts(test, content, stays=test.name in called)]
    return without(content, [*cuts, *(_disabling(file.types) if tests else ())])


def _disabling(kinds: Iterable[JavaType]) -> Iterator[_Cut]:
    for kind in kinds:
        for name, mark in marks(kind.node).items():
            if name in DISABLING:
                yield _Cut(mark.start_byte, mark.end_byte)


def _called(content: bytes, tests: Iterable[JavaMethod]) -> frozenset[str]:
    """The names of tests that code calls which stays, on its own object or as a reference."""
    root = parsed(content)
    bodies = {test.name: set[Node]() for test in tests}
    for test in tests:
        bodies[test.name].add(test.node)
    kept: frozenset[str] = frozenset()
    for _ in bodies:
        left_out = {node for name, nodes in bodies.items() if name not in kept for node in nodes}
        names = frozenset() if root is None else frozenset(_names_called(root, left_out))
        if kept == (kept := names & bodies.keys()):
            break
    return kept


def _names_called(node: Node, left_out: set[Node]) -> Iterator[str]:
    for call in found(node, "method_invocation", "method_reference"):
        if not any(other.start_byte <= call.start_byte < other.end_byte for other in left_out):
            own = field(call, "object") is None or text(field(call, "object")) in ("this", "super")
            if call.type == "method_reference":
                yield text(call.named_children[-1])
            elif own:
                yield text(field(call, "name"))


def _cuts(test: JavaMethod, content: bytes, *, stays: bool) -> Iterator[_Cut]:
    if not stays:
        yield _whole(test.node, content)
        return
    for name, mark in marks(test.node).items():
        if has_test_mark([name]):
            yield _Cut(mark.start_byte, mark.end_byte)


def _whole(node: Node, content: bytes) -> _Cut:
    """A declaration with the comments and the empty space above it."""
    first = node
    while (above := first.prev_sibling) is not None and above.type in _COMMENTS:
        before = above.prev_sibling
        if before is not None and before.end_point.row == above.start_point.row:
            break  # It is about what stands before it on its line.
        first = above
    start = len(content[: first.start_byte].rstrip())
    end = node.end_byte
    # A comment up to the end of its line would swallow what follows the declaration on its own.
    ends_line = content[end:].lstrip(b" \t").startswith((b"\n", b"\r"))
    return _Cut(start if ends_line else first.start_byte, end)


def without(content: bytes, cuts: Iterable[_Cut]) -> bytes:
    """A file without some parts of it, which do not overlap."""
    kept, at = bytearray(), 0
    for cut in sorted(cuts, key=lambda each: each.start):
        kept += content[at : cut.start]
        at = max(at, cut.end)
    return bytes(kept + content[at:])
