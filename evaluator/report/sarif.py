"""A verification as SARIF 2.1.0, which code scanning of many hosts and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from typing import Any, Final

from evaluator.model import ChangedLine, Failure, Transition
from evaluator.report.failures import failure_in_words
from evaluator.report.verification import unexecuted
from evaluator.verdict import Decision, Finding
from evaluator.verification.verify import Verification

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {
    Decision.REJECT: "error",
    Decision.ABSTAIN: "warning",
    Decision.ACCEPT: "note",
}
NOT_COVERED: Final = "not_covered"

Json = Mapping[str, Any]


def sarif(verification: Verification) -> Json:
    """The log of one run: a result for each reason of the verdict, and for each uncovered range.

    Each result has a place in the head's tree: where a test of the reason fails, else the first
    line of a changed file, since hosts show no result without one.
    """
    lines = verification.lines if verification.evidence.reproducing else ()
    results = [*_reasons(verification), *_uncovered(lines)]
    rules = [{"id": rule} for rule in dict.fromkeys(str(one["ruleId"]) for one in results)]
    driver = {"name": "fixgate", "version": metadata.version("fixgate"), "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _reasons(verification: Verification) -> Iterator[Json]:
    """What led to the decision; the other findings would say something else."""
    for finding in verification.verdict.findings:
        if finding.decision is verification.verdict.decision:
            tests = _tests(finding, verification)
            message = ". ".join([finding.reason, *_causes(tests, verification)])
            path, line = _place(tests, verification)
            yield _result(finding.rule, _LEVELS[finding.decision], message, (path, line, line))


def _tests(finding: Finding, verification: Verification) -> Sequence[Transition]:
    evidence = verification.evidence
    every = (*evidence.transitions, *evidence.regressions.failing)
    return [transition for transition in every if transition.test in finding.tests]


def _causes(tests: Sequence[Transition], verification: Verification) -> Iterator[str]:
    """How the first of the tests fails with the change, if it does."""
    source = verification.change.tests.contents.get
    yield from itertools.islice(
        filter(None, (failure_in_words(t, t.after, source) for t in tests)), 1
    )


def _place(tests: Sequence[Transition], verification: Verification) -> tuple[str, int]:
    """Where the first test fails that says so, else the first changed file."""
    failures = [f for t in tests for f in (t.after.failure, t.before.failure) if f is not None]
    known = [place for failure in failures for place in _frame(failure)]
    files = [t.file for t in tests if t.file]
    changed = sorted({*verification.change.code.contents, *verification.change.tests.contents})
    return next(iter([*known, *((file, 1) for file in [*files, *changed])]), (".", 1))


def _frame(failure: Failure) -> Iterator[tuple[str, int]]:
    if failure.frame is not None and failure.frame.line:
        yield failure.frame.path, failure.frame.line


def _uncovered(lines: Sequence[ChangedLine]) -> Iterator[Json]:
    for place in unexecuted(lines):
        yield _result(NOT_COVERED, "note", "Not covered by any reproducing test", place)


def _result(rule: str, level: str, message: str, place: tuple[str, int, int]) -> Json:
    path, first, last = place
    region = {"startLine": first, "endLine": last}
    location = {"artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%"}, "region": region}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }
