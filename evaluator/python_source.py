"""Reads Python source that others wrote, and finds tests in it."""

from __future__ import annotations

import ast
import threading
import warnings

Function = ast.FunctionDef | ast.AsyncFunctionDef
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parse` raises for source that is no Python of our own version."""

_PARSING = threading.Lock()


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree, without a word on what Python warns of. Raises one of NOT_PYTHON."""
    # The filters of warnings belong to the whole process, hence the lock.
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def parsed(source: str | bytes) -> ast.Module | None:
    """The syntax tree, None for what is no Python; never raises."""
    try:
        return parse(source)
    except NOT_PYTHON:
        return None


def function_of(test: str) -> str:
    """The function in a test's name: `path::Class::NAME[parameters]` or `module.Class.NAME`."""
    return test.partition("[")[0].rpartition("::")[2].rpartition(".")[2].partition("#")[0]
