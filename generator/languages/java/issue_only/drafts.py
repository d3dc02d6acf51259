"""From the code of an issue to drafts of tests, in the words of the issue."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from evaluator.languages.java import syntax
from generator.languages.java.inverting import is_assertion
from generator.languages.java.issue_only.reported import Said, said
from generator.languages.java.issue_only.snippets import CodePiece
from generator.languages.java.structure import (
    CLASSES,
    METHODS,
    is_test,
    members,
    name_of,
    parameters,
)

_EXPECTED = re.compile(r"expected\s*=\s*([\w.]+)\.class")
_MODIFIERS = re.compile(r"\b(?:public|private|protected)\s+(?=[^({]*\b(?:class|interface|enum)\b)")


@dataclass(frozen=True)
class TestMethod:
    """A test as an issue has it. `throws` is the exception that it is to throw, "" for none."""

    __test__ = False

    name: str
    statements: tuple[str, ...]
    throws: str = ""

    @property
    def asserts(self) -> bool:
        """Whether any of its statements asserts something, or what it throws does."""
        return bool(self.throws) or any(
            re.search(r"\b(?:assert\w*|fail)\s*\(", statement) for statement in self.statements
        )


@dataclass(frozen=True)
class Draft:
    """Tests and what they need. `old_name` is that of the class which they stood in, "" if none.

    `said` is what a comment says of the value of `expression`, which the last statement shows.
    """

    tests: tuple[TestMethod, ...]
    imports: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    old_name: str = ""
    expression: str = ""
    said: Said = field(default_factory=Said)


def drafts(snippets: Sequence[CodePiece]) -> Iterator[Draft]:
    """Drafts, those first in which the issue asserts something.

    Classes of the issue that are no tests go with each.
    """
    imports = tuple(dict.fromkeys(name for one in snippets for name in one.imports))
    shared = [node for one in snippets for node in one.classes if not _runs_by_itself(node)]
    found = [draft for one in snippets for draft in _of_snippet(one)]
    for draft in sorted(found, key=lambda one: not any(test.asserts for test in one.tests)):
        own = [nested(node) for node in _first_of_each(shared) if not _defines(draft, node)]
        yield Draft(
            tests=draft.tests,
            imports=imports,
            members=(*own, *draft.members),
            old_name=draft.old_name,
            expression=draft.expression,
            said=draft.said,
        )


def nested(node: Node) -> str:
    """A class as one within another."""
    code = _MODIFIERS.sub("", _source(node), count=1)
    head = code.partition("{")[0]
    plain = node.type == "class_declaration" and not re.search(r"\bstatic\b", head)
    return (
        re.sub(r"\b((?:abstract |final )*class)\b", r"static \1", code, count=1) if plain else code
    )


def _first_of_each(nodes: Sequence[Node]) -> list[Node]:
    return list({name_of(node): node for node in reversed(nodes)}.values())[::-1]


def _defines(draft: Draft, node: Node) -> bool:
    pattern = re.compile(rf"\b(?:class|interface|enum|record) {re.escape(name_of(node))}\b")
    return any(pattern.search(member) for member in draft.members)


def _runs_by_itself(node: Node) -> bool:
    """Whether a class holds tests or a program."""
    return any(is_test(member) or _is_main(member) for member in members(node))


def _of_snippet(snippet: CodePiece) -> Iterator[Draft]:
    for node in snippet.classes:
        if _runs_by_itself(node):
            yield from _of_members(list(members(node)), name_of(node))
    yield from _of_members([*snippet.methods, *_fields(snippet)], "")
    if any(node.type != "line_comment" for node in snippet.statements):
        yield from _of_statements(snippet.statements, tuple(map(_source, snippet.methods)))


def _fields(snippet: CodePiece) -> list[Node]:
    """Declarations with modifiers, which belong to a class."""
    return [node for node in snippet.statements if _source(node).startswith(("private", "public"))]


def _of_members(found: Sequence[Node], name: str) -> Iterator[Draft]:
    methods = [node for node in found if node.type in METHODS]
    tests = [node for node in methods if _is_test(node)]
    others = [node for node in found if node not in tests and not _is_main(node)]
    rest = tuple(nested(node) if node.type in CLASSES else _source(node) for node in others)
    if tests:
        yield Draft(tuple(map(_test, tests)), members=rest, old_name=name)
    for main in filter(_is_main, methods):
        body = syntax.field(main, "body")
        if body is not None:
            yield from _of_statements(body.named_children, rest, name)


def _is_test(method: Node) -> bool:
    asserts = any(is_assertion(node) for node in syntax.walk(method))
    return is_test(method) or (asserts and not parameters(method))


def _is_main(method: Node) -> bool:
    return method.type == "method_declaration" and name_of(method) == "main"


def _test(method: Node) -> TestMethod:
    expected = _EXPECTED.search(_source(method))
    body = syntax.field(method, "body")
    statements = map(_source, body.named_children if body is not None else ())
    return TestMethod(name_of(method), tuple(statements), expected[1] if expected else "")


def _of_statements(
    nodes: Sequence[Node], others: tuple[str, ...], old_name: str = ""
) -> Iterator[Draft]:
    """The statements as a whole, and those up to each comment on what a value should be."""
    code = [node for node in nodes if _source(node) not in others]
    whole = TestMethod("", tuple(map(_source, code)))
    yield Draft((whole,), members=others, old_name=old_name)
    for number, node in enumerate(code):
        expression = _shown(node)
        words = said(_comment(code, number)) if expression else Said()
        if words.expected:  # That a value is not the reported one says little of the right one.
            before = [one for one in code[:number] if not _shown(one)]
            test = TestMethod("", tuple(map(_source, before)))
            yield Draft((test,), (), others, old_name, expression, words)


def _shown(node: Node) -> str:
    """The expression that a statement prints, or is; "" for others."""
    call = node.named_children[0] if node.type == "expression_statement" else None
    if call is None or call.type != "method_invocation":
        return ""
    if name_of(call) not in ("println", "print"):
        return "" if is_assertion(node) else syntax.text(call)
    arguments = syntax.field(call, "arguments")
    given = arguments.named_children if arguments is not None else []
    return syntax.text(given[0]) if len(given) == 1 else ""


def _comment(nodes: Sequence[Node], number: int) -> str:
    """The comment behind a statement, and those on the lines below it."""
    texts, last = [], nodes[number].end_point.row
    for node in nodes[number + 1 :]:
        if node.type != "line_comment" or node.start_point.row > last + 1:
            break
        texts.append(syntax.text(node).lstrip("/ "))
        last = node.start_point.row
    return " ".join(texts)


def _source(node: Node) -> str:
    return textwrap.dedent(" " * node.start_point.column + syntax.text(node))
