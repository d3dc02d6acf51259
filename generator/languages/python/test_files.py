"""Test files and other Python code in replies."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from evaluator import PatchError
from evaluator.languages.python.blocks.code import Defined, parsed
from generator.replies.fences import fences
from generator.replies.tags import tagged
from generator.replies.text import UnreadableReplyError, answer_of

_TAGS = ("test", "test_file", "code", "python")
_PYTHON = frozenset({"", "python", "python3", "py", "pytest", "django", "pycon"})


def read_test_file(reply: str) -> str:
    """The code of a whole test file: that of the last part of a reply which defines a test.

    Raises UnreadableReplyError for a reply without code, with code that is no Python (the message
    gives the line) and for code without a test: no function `test*`, no class with one.
    """
    answer = answer_of(reply)
    reasons: list[str] = []
    for code in _parts(answer):
        reason = why_no_tests(code)
        if not reason:
            return code
        reasons.append(reason)
    raise UnreadableReplyError(reasons[0] if reasons else _nothing_in(answer))


def why_broken(text: str) -> str:
    """Why a text is no Python, "" where it is."""
    try:
        parsed(text)
    except PatchError as error:
        return str(error)
    return ""


def defined_names(code: str) -> frozenset[str]:
    """The names that code defines at its top level. Raises PatchError for code that is none."""
    return frozenset(node.name for node in parsed(code).body if isinstance(node, Defined))


def why_no_tests(code: str) -> str:
    """Why code cannot be a test file, "" where it can."""
    try:
        tree = parsed(code)
    except PatchError as error:
        return f"the code is not valid Python: {error}"
    return "" if _has_test(tree) else "the code defines no test: no function `test_...`"


def _parts(answer: str) -> Iterator[str]:
    """What may be meant, the likeliest first: the last fence, the last tag, the bare reply."""
    for fence in reversed(fences(answer)):
        if fence.language in _PYTHON:
            yield fence.text
    for part in reversed(list(tagged(answer, _TAGS))):
        yield part.text.strip("\n") + "\n"
    if not fences(answer) and _may_be_code(answer):
        yield answer.strip("\n") + "\n"


def _may_be_code(answer: str) -> bool:
    return any(line.startswith(("def ", "class ", "async def ")) for line in answer.split("\n"))


def _nothing_in(answer: str) -> str:
    return "the reply holds no Python code" if answer.strip() else "the reply is empty"


def _has_test(tree: ast.Module) -> bool:
    return any(_is_test(node) for node in ast.walk(tree) if isinstance(node, Defined))


def _is_test(node: ast.AST) -> bool:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, functions) and node.name.lower().startswith("test")
