"""Whether a row holds the golden code and the golden tests in the usual fields.

The hub variants `nmuendler/SWT-bench*_bm25_*` hold the tests in `patch`, where everybody else
holds the code. Graded that way round, every result would be wrong.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable

from evaluator.diff import split
from evaluator.languages import is_test_file

_WRAPPER = re.compile(r"\s*<patch>\n?(.*?)\n?</patch>\s*", re.DOTALL)


class Orientation(enum.Enum):
    """Which way round a row holds its two patches."""

    USUAL = "usual"
    SWAPPED = "swapped"
    UNCLEAR = "unclear"


def unwrapped(patch: str) -> str:
    """The patch without the `<patch>` tags that prompts put around it."""
    match = _WRAPPER.fullmatch(patch)
    return f"{match[1]}\n" if match else patch


def orientation(patch: str, test_patch: str) -> Orientation:
    """Decided by the paths: swapped if all of `patch` are tests and none of `test_patch` is.

    Unclear where `patch` is all tests though `test_patch` has some too, or `test_patch` has none
    though `patch` has some.
    """
    code, tests = split(patch, is_test_file), split(test_patch, is_test_file)
    if not code.code_files:
        return Orientation.UNCLEAR if tests.test_files else Orientation.SWAPPED
    unclear = code.test_files and not tests.test_files
    return Orientation.UNCLEAR if unclear else Orientation.USUAL


def common_orientation(orientations: Iterable[Orientation]) -> Orientation:
    """How the clear rows of a dataset are held, if they agree: datasets are swapped as a whole."""
    clear = set(orientations) - {Orientation.UNCLEAR}
    return clear.pop() if len(clear) == 1 else Orientation.UNCLEAR
