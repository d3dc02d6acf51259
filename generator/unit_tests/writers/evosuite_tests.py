"""EvoSuite's test classes as predictions: each test alone, fit for the human test class.

EvoSuite writes one class of tests for one class of code. A test belongs to each method that it
calls. Its imports do not come along, so that the names which they bring are written out; assertions
become those of the framework of the human tests; checks by EvoSuite's own runtime are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.languages.java.sources.declarations import marks, methods
from evaluator.languages.java.syntax import field, found, parsed, text
from generator.languages.java.structure import encoded
from generator.unit_tests.code import canonical_name, imports, indented, simple_name
from generator.unit_tests.style import annotation, assertions

_NAMES = ("identifier", "type_identifier")
_OWN_CHECK = "verifyException"
Edit = tuple[int, int, str]


def calling_tests(method: FocalMethod, generated: str) -> tuple[str, ...]:
    """The tests of a generated class that call a method."""
    root = parsed(encoded(generated))
    tests = [] if root is None else [m.node for m in methods(root) if "Test" in marks(m.node)]
    names = _names(method, generated)
    return tuple(_adapted(test, method, names) for test in tests if _calls(test, method))


def _names(method: FocalMethod, generated: str) -> Mapping[str, str]:
    """What stands for names that the generated class imports, or has from its package."""
    listed = [name for name in imports(generated) if not name.startswith("static ")]
    known = {name.rpartition(".")[2]: name for name in listed if not name.endswith(".*")}
    owner = method.focal_class
    return {**known, simple_name(owner): canonical_name(owner)}


def _calls(test: Node, method: FocalMethod) -> bool:
    """Whether a test calls a method of that name, with as many arguments; `[]` may be `...`."""
    wanted, variable = len(method.parameters), method.parameters[-1:] != ()
    variable = variable and method.parameters[-1].endswith("[]")
    for call in found(test, "method_invocation", "object_creation_expression"):
        named = text(field(call, "name") or field(call, "type"))
        given = _argument_count(call)
        if named == method.name and (given == wanted or (variable and given >= wanted - 1)):
            return True
    return False


def _argument_count(call: Node) -> int:
    arguments = field(call, "arguments")
    return 0 if arguments is None else len(arguments.named_children)


def _adapted(test: Node, method: FocalMethod, names: Mapping[str, str]) -> str:
    edits = sorted({*_renamed(test, names), *_asserting(test, method), *_left_out(test)})
    start, source = test.start_byte, test.text or b""
    modifiers = next(child for child in test.children if child.type == "modifiers")
    made, reached = bytearray(), modifiers.end_byte
    for begin, end, new in edits:
        if begin >= reached:
            made += source[reached - start : begin - start] + new.encode()
            reached = end
    made += source[reached - start :]
    body = f"public{made.decode('utf-8', 'replace')}"
    return f"{annotation(method)}{indented(body, '')}"


def _renamed(test: Node, names: Mapping[str, str]) -> Iterator[Edit]:
    for node in found(test, *_NAMES):
        name = text(node)
        if name in names and not _is_member(node):
            yield node.start_byte, node.end_byte, names[name]


def _is_member(node: Node) -> bool:
    """Whether a name stands behind a dot, or names a method or a variable."""
    before, parent = node.prev_sibling, node.parent
    named = None if parent is None else field(parent, "name")
    return (before is not None and before.type == ".") or named == node


def _asserting(test: Node, method: FocalMethod) -> Iterator[Edit]:
    for call in found(test, "method_invocation"):
        name = field(call, "name")
        bare = field(call, "object") is None and name is not None
        if bare and name is not None and text(name).startswith(("assert", "fail")):
            yield name.start_byte, name.end_byte, f"{assertions(method)}.{text(name)}"


def _left_out(test: Node) -> Iterator[Edit]:
    for statement in found(test, "expression_statement"):
        call: Sequence[Node] = statement.named_children[:1]
        if call and text(field(call[0], "name")) == _OWN_CHECK:
            yield statement.start_byte, statement.end_byte, ""
