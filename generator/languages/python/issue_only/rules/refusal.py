"""A step goes through, and the issue says that it should fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.languages.python.issue_only.rules.output import outputs_seen
from generator.languages.python.issue_only.rules.wording import wanted_exceptions
from generator.languages.python.issue_only.symptoms import Raises, ReplayedReport, Symptom

_SHOULD_FAIL = re.compile(
    r"\b(?:should|must|ought to|expected to)\b (?:\w+ ){0,2}?"
    r"(?:fail|raise|throw|error|be rejected|be forbidden|not be (?:allowed|possible|accepted))\b",
    re.IGNORECASE,
)


def missing_refusals(replay: ReplayedReport) -> Iterator[Symptom]:
    """The last step whose output came out as shown, where the title says that something fails."""
    if not _SHOULD_FAIL.search(replay.report.title):
        return
    seen = list(outputs_seen(replay))
    if seen:
        exception = min(wanted_exceptions(replay.report), default="Exception")
        yield Symptom("refusal", seen[-1].step, Raises(exception), 0.7, "is not refused")
