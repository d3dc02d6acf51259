"""Whether a test says only what must not be.

Such a test can tell that an issue is not fixed, since what was reported is still there; but any
other behaviour satisfies it, a wrong one too, so that it says little for a fix.
"""

from __future__ import annotations

import re

from evaluator.outcome import Failure

_WORDS = re.compile(
    r"unexpectedly (?:found in|identical|None)\b|^Regex matched:|^assert .+ (?:!=|is not|not in) ",
    re.DOTALL,
)
_EQUAL = " == "


def denies(failure: Failure | None) -> bool:
    """Whether an assertion failed because something was as it must not be.

    Told by how unittest and pytest word the failures of assertNotEqual, assertNotIn and the like.
    """
    if failure is None or failure.exception_type.rpartition(".")[2] != "AssertionError":
        return False
    return bool(_WORDS.search(failure.message)) or _shows_twice_the_same(failure.message)


def _shows_twice_the_same(message: str) -> bool:
    """Whether it reads "A == A": where one value is not as it should be, they differ."""
    first = message.partition(" : ")[0]
    starts = [found.start() for found in re.finditer(_EQUAL, first)]
    return any(first[:at].strip() == first[at + len(_EQUAL) :].strip() for at in starts)
