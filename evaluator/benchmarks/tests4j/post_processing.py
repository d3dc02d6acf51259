"""What a model replied, turned into test methods (thesis, section 3.4.1, pp. 15, 16).

The text is cut after the braces of the first method and has to be a method. Where it is none, it is
cut after its last statement, statements repeated at the end are dropped, open brackets are closed,
and what still is no method is discarded. Annotations that would keep a test from running are
removed. Chat models of later years answer with a fenced block, a class around the method, or both,
which the thesis's models did not: the test methods inside are taken out, each a test of its own.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.benchmarks.tests4j.brackets import (
    closing,
    end_of_last_statement,
    end_of_outer_braces,
)
from evaluator.languages.java import syntax
from evaluator.languages.java.sources.declarations import (
    DISABLING,
    Declaration,
    is_test,
    marks,
    methods,
)

LARGEST_REPLY = 100_000
"""Characters; the longest human test of Tests4J has some 37,000 tokens together with its MUT."""
_FENCE = re.compile(r"```[ \t]*\w*[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_TYPE = re.compile(r"^[ \t]*(?:(?:public|final|abstract|static)\s+)*class\s+\w+[^{;()]*\{", re.M)
_MARK = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest)\b")
_IMPORT = re.compile(r"^[ \t]*(?:import|package)\s[^;\n]*;", re.MULTILINE)
_NOT_ENABLED = re.compile(r"\s*,?\s*enabled\s*=\s*false\s*(?:,\s*(?=\w))?")
_PREFIX = "class Sample {\n"
_LONGEST_PERIOD = 8
_STATEMENT = re.compile(
    r"^[ \t]*(?:\w[\w.<>\[\],? ]*=|\w[\w.]*[ \t]*\(|(?:try|for|if)\b)", re.MULTILINE
)


class Step(enum.StrEnum):
    """What was done to a reply, beside cutting it after the first method."""

    FENCE = "taken out of a fenced block"
    CLASS = "taken out of a class"
    LEADING = "what stands before the first test dropped"
    REPAIRED = "closed after its last whole statement"
    REPEATED = "statements repeated at the end dropped"
    ENABLED = "annotation that disables it removed"


class ReplyProblem(enum.StrEnum):
    """Why a reply holds no test."""

    EMPTY = "the reply is empty"
    TOO_LONG = f"the reply is longer than {LARGEST_REPLY} characters"
    STATEMENTS = "statements without a method around them"
    NO_TEST_IN_CLASS = "a class without a test method"
    NO_METHOD = "another declaration than a method"
    TEXT = "text, not code"
    BROKEN = "no method even after repair"


@dataclass(frozen=True)
class RepliedTest:
    """A method that can be inserted into a class: one declaration without errors of syntax."""

    __test__ = False

    name: str
    source: str
    steps: tuple[Step, ...] = ()


def post_process(reply: str) -> tuple[RepliedTest, ...] | ReplyProblem:
    """The test methods of a reply: one, or those of a class; or why there is none."""
    if len(reply) > LARGEST_REPLY:
        return ReplyProblem.TOO_LONG
    if not reply.strip():
        return ReplyProblem.EMPTY
    code, fenced = _unfenced(reply)
    if found := _first(code):
        return tuple(_cleaned(each, fenced) for each in found)
    return _reason(code)


def _first(code: str) -> tuple[RepliedTest, ...]:
    """What the first way that finds any finds."""
    return _whole(code) or _of_class(code) or _behind_other_text(code) or _repaired(code)


def _unfenced(reply: str) -> tuple[str, tuple[Step, ...]]:
    match = _FENCE.search(reply)
    return (match[1], (Step.FENCE,)) if match and match[1].strip() else (reply, ())


def _whole(code: str) -> tuple[RepliedTest, ...]:
    end = end_of_outer_braces(code)
    method = method_of(code[:end]) if end is not None else None
    return (_test(method.node, method.name),) if method else ()


def _of_class(code: str) -> tuple[RepliedTest, ...]:
    """The whole test methods of the classes in a reply."""
    root = syntax.parsed(code.encode()) if _TYPE.search(code) else None
    found = [each for each in methods(root) if is_test(each)] if root else []
    return tuple(
        _test(each.node, each.name, Step.CLASS) for each in found if not each.node.has_error
    )


def _behind_other_text(code: str) -> tuple[RepliedTest, ...]:
    """The first test, where something else stands before it: imports, a class cut short."""
    begin = _MARK.search(code)
    if begin is None:
        return ()
    rest = code[begin.start() :]
    steps = (Step.LEADING,) if code[: begin.start()].strip() else ()
    found = _whole(rest) or _repaired(rest)
    return tuple(RepliedTest(each.name, each.source, (*steps, *each.steps)) for each in found)


def _repaired(code: str) -> tuple[RepliedTest, ...]:
    last = end_of_last_statement(code)
    if last is None:
        return ()
    method = method_of(code[: last.end] + closing(last.still_open))
    if method is None:
        return ()
    test = _test(method.node, method.name, Step.REPAIRED)
    shorter = without_repetition(test.source)
    if shorter == test.source:
        return (test,)
    return (RepliedTest(test.name, shorter, (Step.REPAIRED, Step.REPEATED)),)


def in_class(members: str) -> Node | None:
    """The syntax tree of a class with these members; None where it takes too long to read."""
    return syntax.parsed(f"{_PREFIX}{members}\n}}".encode())


def method_of(code: str) -> Declaration | None:
    """The one method that a text consists of, beside comments; None where it is anything else."""
    root = in_class(code)
    if root is None or root.has_error or _has_unicode_escape(code):
        return None
    (declared,) = root.named_children[:1] or (root,)
    body = syntax.field(declared, "body")
    members = [each for each in body.named_children if "comment" not in each.type] if body else []
    if len(root.named_children) != 1 or len(members) != 1:
        return None
    (member,) = members
    if member.type != "method_declaration" or syntax.field(member, "body") is None:
        return None
    return Declaration("Sample.", syntax.text(syntax.field(member, "name")), member)


def _has_unicode_escape(code: str) -> bool:
    """Escapes of brackets and quotes, which the compiler sees and the parser does not."""
    return bool(re.search(r"\\u+00(?:7[bBdD]|22|27|2[aAfF]|5[cC]|0[aAdD])", code))


def _test(node: Node, name: str, *steps: Step) -> RepliedTest:
    return RepliedTest(name, _dedented(node), steps)


def _dedented(node: Node) -> str:
    """The text of a method, its lines moved to the left as far as its first line stands in."""
    margin = node.start_point.column
    first, *rest = syntax.text(node).split("\n")
    moved = (line[margin:] if not line[:margin].strip() else line for line in rest)
    return "\n".join([first, *moved]).rstrip()


def without_repetition(source: str) -> str:
    """A method without statements that only repeat those before them at the end of a block.

    Runs of up to eight statements are taken for repeated, since models fall into such loops.
    """
    method = method_of(source)
    block = _last_block(method.node) if method else None
    if block is None:
        return source
    statements = [each for each in block.named_children if "comment" not in each.type]
    kept = _unrepeated([syntax.text(each) for each in statements])
    if kept == len(statements):
        return source
    offset = len(_PREFIX.encode())
    content = source.encode()
    start, end = statements[kept - 1].end_byte - offset, statements[-1].end_byte - offset
    return (content[:start] + content[end:]).decode()


def _last_block(method: Node) -> Node | None:
    """The innermost block that ends where the method does: where the model stopped."""
    block = syntax.field(method, "body")
    while block is not None:
        inner = _blocks_at_end(block)
        if not inner:
            return block
        block = inner[-1]
    return None


def _blocks_at_end(block: Node) -> list[Node]:
    for last in block.named_children[-1:]:
        return [each for each in syntax.found(last, "block") if each.end_byte == last.end_byte]
    return []


def _unrepeated(texts: list[str]) -> int:
    """How many of a list are left when what is repeated at its end is dropped."""
    for period in range(1, _LONGEST_PERIOD + 1):
        count = len(texts)
        while _repeats(texts[:count], period):
            count -= period
        if count < len(texts):
            return count
    return len(texts)


def _repeats(texts: list[str], period: int) -> bool:
    return len(texts) >= 2 * period and texts[-period:] == texts[-2 * period : -period]


def _cleaned(test: RepliedTest, fenced: tuple[Step, ...]) -> RepliedTest:
    source = enabled(test.source)
    changed = (Step.ENABLED,) if source != test.source else ()
    return RepliedTest(test.name, source, (*fenced, *test.steps, *changed))


def enabled(source: str) -> str:
    """A method without @Ignore, @Disabled and TestNG's `enabled = false`."""
    method = method_of(source)
    if method is None:
        return source
    offset = len(_PREFIX.encode())
    content = source.encode()
    for name, mark in reversed(marks(method.node).items()):
        start, end = mark.start_byte - offset, mark.end_byte - offset
        if name in DISABLING:
            content = content[:start] + content[end:].lstrip()
        elif name == "Test":
            rest = _NOT_ENABLED.sub("", syntax.text(mark)).encode()
            content = content[:start] + rest + content[end:]
    return content.decode()


def _reason(code: str) -> ReplyProblem:
    if _MARK.search(code):
        return ReplyProblem.BROKEN
    if _TYPE.search(code):
        return ReplyProblem.NO_TEST_IN_CLASS
    rest = _IMPORT.sub("", code)
    if rest.strip() and _parses(f"class Sample {{ void sample() {{\n{rest}\n}} }}"):
        return ReplyProblem.STATEMENTS
    if _parses(f"{_PREFIX}{code}\n}}") or _parses(code):
        return ReplyProblem.NO_METHOD
    return ReplyProblem.BROKEN if _STATEMENT.search(code) and ";" in code else ReplyProblem.TEXT


def _parses(code: str) -> bool:
    root = syntax.parsed(code.encode())
    return root is not None and not root.has_error


@functools.lru_cache(maxsize=4096)
def normal_form(source: str) -> str:
    """The tokens of a method without comments and white space: what makes two tests the same."""
    root = in_class(source)
    leaves = syntax.walk(root) if root else ()
    return " ".join(_leaf_texts(leaves)) or source


def _leaf_texts(nodes: Iterable[Node]) -> Iterable[str]:
    in_comment_or_string = 0
    for node in nodes:
        if node.start_byte < in_comment_or_string:
            continue
        if "comment" in node.type or "string" in node.type:
            in_comment_or_string = node.end_byte
            if "comment" not in node.type:
                yield syntax.text(node)
        elif node.child_count == 0:
            yield syntax.text(node)


def renamed(test: RepliedTest, name: str) -> str:
    """The source of a test with another name for its method."""
    method = method_of(test.source)
    identifier = syntax.field(method.node, "name") if method else None
    if identifier is None or name == test.name:
        return test.source
    offset, content = len(_PREFIX.encode()), test.source.encode()
    start, end = identifier.start_byte - offset, identifier.end_byte - offset
    return (content[:start] + name.encode() + content[end:]).decode()
