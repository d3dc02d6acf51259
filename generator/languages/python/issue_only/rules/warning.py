"""A step gives a warning that it should not, or does not give one that it should."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.languages.python.issue_only.matching import warned_as_reported
from generator.languages.python.issue_only.symptoms import Quiet, ReplayedReport, Symptom, Warns
from generator.report_text import IssueReport, PartRole, ReportedError

_UNWANTED = re.compile(
    r"\bno\b[^.\n]{0,40}\bwarning|without[^.\n]{0,20}\bwarning|\bwarnings?\b[^.\n]{0,40}"
    r"\b(?:should(?:n't| not)|not be)|\b(?:Deprecation|Future)Warning",
    re.IGNORECASE,
)
_LONGEST = 60


def reported_warnings(replay: ReplayedReport) -> Iterator[Symptom]:
    """The first step that gives a warning which the report shows and does not want."""
    if not _UNWANTED.search(replay.report.text):
        return
    shown = [
        e for e in _warnings(replay.report) if _role(replay.report, e) is not PartRole.EXPECTED
    ]
    for index, outcome in replay:
        for warned in outcome.warned:
            if outcome.raised is None and any(warned_as_reported(warned, e) for e in shown):
                message = warned.message.strip().split("\n")[0][:_LONGEST]
                demand = Quiet(warned.category, message)
                yield Symptom("warning_shown", index, demand, 0.65, f"warns: {message}")
                return


def missing_warnings(replay: ReplayedReport) -> Iterator[Symptom]:
    """The last step, where the report expects a warning that no step gives."""
    expected = [e for e in _warnings(replay.report) if _role(replay.report, e) is PartRole.EXPECTED]
    if not expected or not replay.outcomes:
        return
    last = len(replay.outcomes) - 1
    given = {warned.category for outcome in replay.outcomes for warned in outcome.warned}
    if expected[0].name not in given and replay.outcomes[last].raised is None:
        words = f"does not warn with {expected[0].name}"
        yield Symptom("warning_missing", last, Warns(expected[0].name), 0.6, words)


def _warnings(report: IssueReport) -> list[ReportedError]:
    return [error for error in report.errors if error.name.endswith("Warning")]


def _role(report: IssueReport, error: ReportedError) -> PartRole:
    parts = [part for part in report.parts if part.line <= error.line]
    return parts[-1].role if parts else PartRole.UNSAID
