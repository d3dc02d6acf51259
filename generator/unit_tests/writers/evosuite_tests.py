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
from generator.unit_tests.code import canonical_name, indented, simple_name
from generator.unit_tests.names import Edit, edited, imported, written_out
from generator.unit_tests.style import annotation, assertions

_OWN_CHECK = "verifyException"


def calling_tests(method: FocalMethod, generated: str) -> tuple[str, ...]:
    """The tests of a generated class that call a method."""
    root = parsed(encoded(generated))
    tests = [] if root is None else [m.node for m in methods(root) if "Test" in marks(m.node)]
    names = _names(method, generated)
    return tuple(_adapted(test, method, names) for test in tests if _calls(test, method))


def _names(method: FocalMethod, generated: str) -> Mapping[str, str]:
    """What stands for names that the generated class imports, or has from its package."""
    owner = method.focal_class
    return {**imported(generated), simple_name(owner): canonical_name(owner)}


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
    modifiers = next(child for child in test.children if child.type == "modifiers")
    begin = modifiers.end_byte
    edits = {*written_out(test, names), *_asserting(test, method), *_left_out(test)}
    behind = (edit for edit in edits if edit[0] >= begin)
    body = f"public{edited((test.text or b'')[begin - test.start_byte :], behind, begin)}"
    return f"{annotation(method)}{indented(body, '')}"


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
