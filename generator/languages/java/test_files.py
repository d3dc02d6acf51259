"""Test classes and other Java code in replies."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from evaluator import PatchError
from generator.languages.java.structure import (
    CLASSES,
    METHODS,
    classes,
    is_test,
    members,
    name_of,
    parameters,
    root_of,
    whole,
)
from generator.languages.java.structure import why_broken as broken_at
from generator.replies.fences import fences
from generator.replies.tags import tagged
from generator.replies.text import UnreadableReplyError, answer_of

_TAGS = ("test", "test_file", "code", "java")
_JAVA = frozenset({"", "java", "junit", "testng"})


def read_test_file(reply: str) -> str:
    """The last part of a reply that defines a test: a class, or methods with their imports.

    Raises UnreadableReplyError for a reply without code, with code that is no Java (the message
    gives the line) and for code without a test.
    """
    answer = answer_of(reply)
    reasons: list[str] = []
    for code in _parts(answer):
        reason = why_no_tests(code)
        if not reason:
            return code
        reasons.append(reason)
    nothing = "the reply holds no Java code" if answer.strip() else "the reply is empty"
    raise UnreadableReplyError(reasons[0] if reasons else nothing)


def why_broken(text: str) -> str:
    """Why a text is no Java, "" where it is."""
    try:
        return broken_at(root_of(text))
    except PatchError as error:
        return str(error)


def defined_names(code: str) -> frozenset[str]:
    """The names of what a file's classes hold, and of methods that stand by themselves.

    Methods are named with the types of their parameters. Raises PatchError for code that is none.
    """
    return frozenset(signature(node) for node in added_members(whole(code)))


def added_members(root: Node) -> list[Node]:
    """What code brings into a class: what its first class holds, else what stands in it."""
    found = classes(root)
    held = members(found[0]) if found else (n for n in root.named_children if n.type in METHODS)
    return list(held)


def signature(member: Node) -> str:
    """What tells a member from the others of its class: `test(int)`, `Inner`, `field`."""
    types = f"({parameters(member)})" if member.type in METHODS else ""
    return name_of(member) + types


def why_no_tests(code: str) -> str:
    """Why code cannot be a test, "" where it can."""
    problem = why_broken(code)
    if problem:
        return f"the code is not valid Java: {problem}"
    return "" if _has_test(root_of(code)) else "the code defines no test: no method with `@Test`"


def _has_test(root: Node) -> bool:
    pending = list(root.named_children)
    while pending:
        node = pending.pop()
        if is_test(node):
            return True
        pending += members(node) if node.type in CLASSES else ()
    return False


def _parts(answer: str) -> Iterator[str]:
    """What may be meant, the likeliest first: the last fence, the last tag, the bare reply."""
    for fence in reversed(fences(answer)):
        if fence.language in _JAVA:
            yield fence.text
    for part in reversed(list(tagged(answer, _TAGS))):
        yield part.text.strip("\n") + "\n"
    if not fences(answer) and ";" in answer:
        yield answer.strip("\n") + "\n"
