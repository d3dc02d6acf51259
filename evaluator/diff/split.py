"""Splits a unified diff into its tests and its code."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.diff.types import Split
from evaluator.diff.unified import parse, usual_names


def split(text: str, is_test_file: Callable[[str], bool]) -> Split:
    """The parts of a unified diff that touch tests only, and all others, as they are written.

    `is_test_file` says of a path whether it is a test's. A file that moves between tests and code
    counts as code, a copy goes with its new name. What surrounds the diff (prose, fences) is left
    off.
    """
    tests: list[str] = []
    code: list[str] = []
    test_files: dict[str, None] = {}
    code_files: dict[str, None] = {}
    for patch in parse(text):
        names = usual_names(patch)
        touched = names.both[:1] if patch.move == "copy" else names.both
        is_test = bool(touched) and all(is_test_file(path) for path in touched)
        (tests if is_test else code).append(patch.text)
        (test_files if is_test else code_files).update(dict.fromkeys(touched))
    return Split("".join(tests), "".join(code), tuple(test_files), tuple(code_files))
