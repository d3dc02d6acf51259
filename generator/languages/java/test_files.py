"""Test classes and other Java code in replies."""

from __future__ import annotations

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
from generator.replies.text import read_code

_JAVA = frozenset({"", "java", "junit", "testng"})


def read_test_file(reply: str) -> str:
    """The last part of a reply that defines a test: a class, or methods with their imports.

    Raises UnreadableReplyError for a reply without code, with code that is no Java (the message
    gives the line) and for code without a test.
    """
    return read_code(
        reply, "Java", _JAVA, is_bare=lambda answer: ";" in answer, why_no_tests=why_no_tests
    )


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
