"""Test code in replies, where it belongs, and how its repository formats it."""

from __future__ import annotations

import ast
import difflib
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator import PatchError
from evaluator.diff import Changes, Source, apply
from evaluator.languages import is_test_file
from evaluator.languages.python.blocks.code import parsed
from evaluator.languages.python.parsing import Defined
from generator.replies.text import read_code

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


def placed(source: Source, path: str, code: str, *, line: int | None = None) -> Changes:
    """The changes that put test code into the file at `path`.

    Where the file stands already, leading imports that it lacks go to its own, and the rest goes
    to its end, or, with `line` (from 1), into the class or between the statements there; a method
    (indented, or taking `self`) goes into the class. Where it does not, it is made of the code.
    Raises PatchError for code that is no Python or has no place there, and for a path that is not
    one of tests.
    """
    if not is_test_file(path):
        raise PatchError(f"{path}: is not a path of tests")
    if source(path) is None:
        return Changes({path: (code.strip("\n") + "\n").encode()})
    position = "EOF" if line is None else str(line)
    application = apply(f"diff\n{path}\ninsert\n{position}\n{code}\nend diff\n", source)
    refused = [part.reason for part in application.parts if not part.applied]
    if refused or not application.well_formed:
        raise PatchError(f"{path}: {'; '.join(refused) or 'nothing to insert'}")
    return application.changes


_SECONDS = 30


@dataclass(frozen=True)
class Format:
    """How a repository formats: by black or ruff, with lines of a length and quotes kept or not."""

    line_length: int = 88
    keeps_quotes: bool = False


NO_STYLE = Format(line_length=0)
"""That of a repository which no formatter is configured for."""


def style_of(source: Source) -> Format:
    """What a repository's own files say of formatting."""
    tool = _pyproject(source).get("tool", {})
    black, ruff = tool.get("black"), tool.get("ruff")
    if isinstance(black, dict):
        length = black.get("line-length", 88)
        return Format(int(length), bool(black.get("skip-string-normalization", False)))
    if isinstance(ruff, dict) and isinstance(ruff.get("format", {}), dict):
        keeps = ruff.get("format", {}).get("quote-style") == "preserve"
        return Format(int(ruff.get("line-length", 88)), keeps)
    return Format() if b"psf/black" in (source(".pre-commit-config.yaml") or b"") else NO_STYLE


def formatted_as_repository(changes: Changes, source: Source) -> Changes:
    """The same changes in the style that the repository's own files ask for."""
    return formatted(changes, source, style_of(source))


def formatted(changes: Changes, source: Source, style: Format) -> Changes:
    """The same changes with the lines that they add formatted; all other lines stay as they are.

    What the formatter cannot read stays as it was written.
    """
    if style == NO_STYLE:
        return changes
    contents = {
        path: new if new is None or not path.endswith(".py") else _file(new, source(path), style)
        for path, new in changes.contents.items()
    }
    return Changes(contents, changes.executable, changes.plain)


def _file(new: bytes, old: bytes | None, style: Format) -> bytes:
    """Formatted from the last block to the first, so that line numbers stay right.

    A range ends before the first character of its last line.
    """
    for first, last in reversed(list(_added(new, old))):
        new = _ruff(new, f"--range={first}-{last + 1}", style)
    return new


def _added(new: bytes, old: bytes | None) -> Iterator[tuple[int, int]]:
    """The first and last line, from 1, of each block of added lines."""
    before: Sequence[bytes] = (old or b"").splitlines()
    matcher = difflib.SequenceMatcher(None, before, new.splitlines(), autojunk=False)
    for tag, _, _, start, end in matcher.get_opcodes():
        if tag in ("insert", "replace") and end > start:
            yield start + 1, end


def _ruff(content: bytes, lines: str, style: Format) -> bytes:
    quotes = "preserve" if style.keeps_quotes else "double"
    done = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("ruff")), "format", "--isolated", "--quiet"),
            *("--config", f"line-length={style.line_length}"),
            *("--config", f"format.quote-style='{quotes}'"),
            *(lines, "--stdin-filename", "test_generated.py", "-"),
        ],
        input=content,
        capture_output=True,
        check=False,
        timeout=_SECONDS,
    )
    return done.stdout if done.returncode == 0 and done.stdout else content


def _pyproject(source: Source) -> dict[str, dict[str, object]]:
    try:
        return tomllib.loads((source("pyproject.toml") or b"").decode())
    except ValueError:
        return {}
