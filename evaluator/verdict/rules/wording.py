"""What rules say, in words that name the tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluator.model import Transition
from evaluator.verdict.evidence import Decision, Finding


def finding(
    rule: str, decision: Decision, what: str, tests: Sequence[Transition]
) -> Finding | None:
    """What a rule says of some tests; nothing where there are none."""
    if not tests:
        return None
    names = distinct(tests)
    return Finding(rule, decision, f"{listed(names)}: {what}", names)


def distinct(tests: Iterable[Transition]) -> tuple[str, ...]:
    """Their names, each once: several sets of tests may hold the same."""
    return tuple(dict.fromkeys(test.test for test in tests))


def listed(names: Sequence[str], shown: int = 3) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
