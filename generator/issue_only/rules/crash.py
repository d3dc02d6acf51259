"""The step raises the exception that the issue shows, and should not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.issue_only.matching import raised_as_reported
from generator.issue_only.replaying import Raised
from generator.issue_only.rules.wording import wanted_exceptions, wants_other_message
from generator.issue_only.symptoms import Raises, Replay, Runs, Symptom
from generator.report_text import Report, ReportedError, Role

_TELLING = frozenset({"NameError", "ImportError", "ModuleNotFoundError", "SyntaxError"})
"""Exceptions of code that was pasted in part; they count only where the issue shows them."""


def reported_crashes(replay: Replay) -> Iterator[Symptom]:
    """The first step that ends with an exception which the report shows or names."""
    wanted = wanted_exceptions(replay.report)
    if wants_other_message(replay.report):
        return
    for index, outcome in replay:
        raised = outcome.raised
        if raised is None or raised.slow or is_own_assertion(raised):
            continue
        shown = any(raised_as_reported(raised, e) for e in _unwanted(replay.report))
        if not shown and not _is_named(raised, replay.report):
            continue
        if raised.name in wanted:
            continue
        if wanted:
            yield Symptom("crash_instead", index, Raises(min(wanted)), 0.4, _told(raised))
        else:
            rule, confidence = ("crash_shown", 0.85) if shown else ("crash_named", 0.6)
            yield Symptom(rule, index, Runs(), confidence, _told(raised))
        return


def is_own_assertion(raised: Raised) -> bool:
    """Whether an assertion failed that stands in the issue's own code."""
    inner = raised.frames[-1][0] if raised.frames else "<"
    return raised.name == "AssertionError" and inner.startswith("<")


def _unwanted(report: Report) -> Iterator[ReportedError]:
    for error in report.errors:
        parts = [part for part in report.parts if part.line <= error.line]
        if not parts or parts[-1].role is not Role.EXPECTED:
            yield error


def _is_named(raised: Raised, report: Report) -> bool:
    """Whether the report names the exception and shows none of that name with other words."""
    if raised.name in _TELLING or any(e.name == raised.name and e.message for e in report.errors):
        return False
    return re.search(rf"\b{raised.name}\b", report.text) is not None


def _told(raised: Raised) -> str:
    return f"{raised.name}: {raised.message.splitlines()[0] if raised.message else ''}"[:200]
