"""Remarks on lines of a pull request: what no reproducing test executes, and tests of no use."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from bot.github.types import Annotation
from evaluator import ChangedLine, LineState, Revision, Transition, Verification
from evaluator.diff import Source

MOST = 200
"""Remarks on one pull request."""


def remarks(verification: Verification, head: Source) -> tuple[Annotation, ...]:
    """The remarks on a change; `head` reads its files."""
    return tuple(itertools.islice(_remarks(verification, head), MOST))


def _remarks(verification: Verification, head: Source) -> Iterator[Annotation]:
    if verification.evidence.reproducing:
        yield from _unexecuted(verification.lines)
    for transition in verification.own.transitions:
        if transition.kind == "P->P" and not transition.preexisting:
            line = _line_of(transition, head)
            message = "This test passes without the change too, so it does not show what it fixes."
            yield Annotation(
                transition.file, line, line, "notice", message, "Passes without the fix"
            )


def _unexecuted(lines: Iterable[ChangedLine]) -> Iterator[Annotation]:
    """Runs of added lines that no reproducing test executes, each as one remark."""
    missed = sorted(
        (line.path, line.line)
        for line in lines
        if line.side is Revision.FIXED and line.state is LineState.UNCOVERED
    )
    for _, group in itertools.groupby(
        enumerate(missed), key=lambda item: (item[1][0], item[1][1] - item[0])
    ):
        places = [place for _, place in group]
        (path, first), (_, last) = places[0], places[-1]
        message = "No test that fails without this change executes this."
        yield Annotation(path, first, last, "warning", message, "Not executed")


def _line_of(transition: Transition, head: Source) -> int:
    """The line on which the test is defined, 1 where it is not found."""
    name = re.split(r"::|\.", transition.test.partition("[")[0])[-1]
    text = (head(transition.file) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*(async\s+)?def {re.escape(name)}\b", line):
            return number
    return 1
