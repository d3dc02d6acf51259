"""Which lines of a module hold code, found by compiling it (never running it)."""

from __future__ import annotations

import dis
import types
import warnings
from collections.abc import Collection, Iterator

from evaluator.python_source import NOT_PYTHON


def executable_lines(path: str, content: bytes, lines: Collection[int]) -> Collection[int]:
    """Those of some lines that Python has code for; all of them where it cannot compile the file.

    Nothing better is known of such a file: it may be written for another version.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(content, path, "exec", dont_inherit=True)
    except NOT_PYTHON:
        return lines
    return set(lines).intersection(_starts(code))


def _starts(code: types.CodeType) -> Iterator[int]:
    yield from (line for _, line in dis.findlinestarts(code) if line)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _starts(constant)
