"""Formats generated code as its repository formats: only where the repository says how."""

from __future__ import annotations

import difflib
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import Changes, Source

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
