"""The step raises the exception that the issue shows, and should not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.languages.python.issue_only.matching import raised_as_reported
from generator.languages.python.issue_only.replaying import Raised
from generator.languages.python.issue_only.rules.wording import (
    wanted_exceptions,
    wants_other_message,
)
from generator.languages.python.issue_only.symptoms import (
    OWN_ASSERTION,
    Raises,
    ReplayedReport,
    Runs,
    Symptom,
)
from generator.languages.python.notation import is_traceback
from generator.report_text import IssueReport, PartRole, ReportedError

_OF_FRAGMENTS = frozenset({"NameError", "ImportError", "ModuleNotFoundError", "SyntaxError"})
"""Exceptions of code that was pasted in part; they count only where the issue shows them."""


_RAISES = re.compile(r"^\s*raise\b", re.MULTILINE)
_FAILS = re.compile(
    r"\b(?:fail\w*|error\w*|crash\w*|rais\w+|exception\w*|broken|breaks?|can(?:not|'t)|unable)\b",
    re.IGNORECASE,
)


def reported_crashes(replay: ReplayedReport) -> Iterator[Symptom]:
    """The first step that ends with an exception which the report shows or names."""
    wanted = wanted_exceptions(replay.report)
    if wants_other_message(replay.report):
        return
    for index, outcome in replay:
        raised = outcome.raised
        if raised is None or raised.slow or _is_own(raised, replay) or _is_of_others(raised):
            continue
        shown = any(raised_as_reported(raised, e) for e in _unwanted(replay.report))
        if not shown and not _is_named(raised, replay.report):
            continue
        if raised.name in wanted:
            continue
        if wanted:
            yield Symptom("crash_instead", index, Raises(min(wanted)), 0.5, _described(raised))
        else:
            rule, confidence = ("crash_shown", 0.85) if shown else ("crash_named", 0.6)
            yield Symptom(rule, index, Runs(raised.shown_by), confidence, _described(raised))
        return


def titled_crashes(replay: ReplayedReport) -> Iterator[Symptom]:
    """The last step, where it fails in the project's code and the title says that something does.

    For reports that show no exception at all.
    """
    if replay.report.errors or not _FAILS.search(replay.report.title):
        return
    crashed = [i for i, o in replay if o.raised is not None and not o.raised.slow]
    raised = replay.outcomes[crashed[0]].raised if crashed else None
    if raised is not None and _is_in_project(raised) and raised.name not in _OF_FRAGMENTS:
        yield Symptom("crash_titled", crashed[0], Runs(raised.shown_by), 0.5, _described(raised))


def other_crashes(replay: ReplayedReport) -> Iterator[Symptom]:
    """A step under which the report shows a traceback, and that fails here in another way.

    The code has moved on since the report; that the step fails in the project is the same.
    """
    if wants_other_message(replay.report) or wanted_exceptions(replay.report):
        return
    for index, outcome in replay:
        raised = outcome.raised
        shown = replay.program.steps[index].statement.shown
        if raised is None or raised.slow or not is_traceback(shown):
            continue
        same = any(raised_as_reported(raised, error) for error in replay.report.errors)
        if not same and _is_in_project(raised):
            yield Symptom("crash_other", index, Runs(raised.shown_by), 0.5, _described(raised))
            return


def _is_of_others(raised: Raised) -> bool:
    """Whether it comes out of other code with none of the project's in between."""
    files = [path for path, _, _ in raised.frames]
    outside = any(path.startswith(("..", "/")) for path in files)
    return outside and all(path.startswith(("<", "..", "/")) for path in files)


def _is_in_project(raised: Raised) -> bool:
    inner = raised.frames[-1][0] if raised.frames else ""
    return not inner.startswith(("<", "..", "/"))


def _is_own(raised: Raised, replay: ReplayedReport) -> bool:
    """Whether it is the issue's own code that raises it, on purpose."""
    inner = raised.frames[-1][0] if raised.frames else "<"
    raises = any(_RAISES.search(step.source) for step in replay.program.steps)
    return is_own_assertion(raised) or (raises and inner.startswith("<"))


def is_own_assertion(raised: Raised) -> bool:
    """Whether an assertion failed that stands in the issue's own code."""
    inner = raised.frames[-1][0] if raised.frames else "<"
    return raised.name == "AssertionError" and inner.startswith("<")


def _unwanted(report: IssueReport) -> Iterator[ReportedError]:
    for error in report.errors:
        parts = [part for part in report.parts if part.line <= error.line]
        if not parts or parts[-1].role is not PartRole.EXPECTED:
            yield error


def _is_named(raised: Raised, report: IssueReport) -> bool:
    """Whether the report names the exception and shows none of that name with other words."""
    if raised.name in _OF_FRAGMENTS or any(
        e.name == raised.name and e.message for e in report.errors
    ):
        return False
    return re.search(rf"\b{raised.name}\b", report.text) is not None


def _described(raised: Raised) -> str:
    return f"{raised.name}: {raised.message.splitlines()[0] if raised.message else ''}"[:200]


def failing_assertions(replay: ReplayedReport) -> Iterator[Symptom]:
    """The first assertion of the issue's code that fails."""
    reported = "AssertionError" in replay.report.text
    for index, outcome in replay:
        raised = outcome.raised
        if raised is None or raised.name != "AssertionError":
            continue
        if is_own_assertion(raised) or "assert" in replay.program.steps[index].source:
            confidence = 0.85 if reported else 0.7
            yield Symptom(OWN_ASSERTION, index, Runs(), confidence, "its assertion fails")
            return
