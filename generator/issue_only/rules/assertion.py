"""An assertion that the issue itself makes does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from generator.issue_only.rules.crash import is_own_assertion
from generator.issue_only.symptoms import Replay, Runs, Symptom


def failing_assertions(replay: Replay) -> Iterator[Symptom]:
    """The first assertion of the issue's code that fails."""
    reported = "AssertionError" in replay.report.text
    for index, outcome in replay:
        raised = outcome.raised
        if raised is None or raised.name != "AssertionError":
            continue
        if is_own_assertion(raised) or "assert" in replay.program.steps[index].source:
            confidence = 0.85 if reported else 0.7
            yield Symptom("own_assertion", index, Runs(), confidence, "its assertion fails")
            return
