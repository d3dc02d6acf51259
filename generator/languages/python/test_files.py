"""Test files and other Python code in replies."""

from __future__ import annotations

import ast

from evaluator import PatchError
from evaluator.languages.python.blocks.code import Defined, parsed
from generator.replies.code import read_code

_PYTHON = frozenset({"", "python", "python3", "py", "pytest", "django", "pycon"})


def read_test_file(reply: str) -> str:
    """The code of a whole test file: that of the last part of a reply which defines a test.

    Raises UnreadableReplyError for a reply without code, with code that is no Python (the message
    gives the line) and for code without a test: no function `test*`, no class with one.
    """
    return read_code(reply, "Python", _PYTHON, is_bare=_may_be_code, why_no_tests=why_no_tests)


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


def _may_be_code(answer: str) -> bool:
    return any(line.startswith(("def ", "class ", "async def ")) for line in answer.split("\n"))


def _has_test(tree: ast.Module) -> bool:
    return any(_is_test(node) for node in ast.walk(tree) if isinstance(node, Defined))


def _is_test(node: ast.AST) -> bool:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, functions) and node.name.lower().startswith("test")
