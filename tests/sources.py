"""Trees of a few files, as functions that read them by their paths."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.model import Source


def source_of(files: Mapping[str, bytes | None]) -> Source:
    """A function that returns a file's content; None where there is no such file."""
    return files.get
