"""Which failures of Java tests stand for an issue: messages of JUnit, AssertJ and the compiler."""

from __future__ import annotations

import pytest

from evaluator.admission import Admission, Refusal, Strength, admit
from evaluator.diff import Changes
from evaluator.model import Failure, Frame, Phase, Run, Status, TestOutcome

ISSUE = """Durations.format shows the minutes of a whole hour

`Durations.format(3600)` gives "1h 60m" where it should give "one hour":

    org.opentest4j.AssertionFailedError: expected: <one hour> but was: <1h 60m>

And for negative numbers:

    java.lang.IllegalStateException: no unit is small enough
        at org.example.Durations.format(Durations.java:9)
"""
FILE = "src/test/java/org/example/DurationsTest.java"
CODE = b"""package org.example;

class DurationsTest {
    @Test
    void hour() {
        assertEquals("one hour", Durations.format(3600));
    }

    @Test
    void denied() {
        assertNotEquals("1h 60m", Durations.format(3600));
    }

    @Test
    void survives() {
        Durations.format(-1);
    }

    @Test
    void unrelated() {
        assertTrue(new Clock().ticks());
    }
}
"""
IN_CODE = Frame("src/main/java/org/example/Durations.java", 9, "format")
ASSERTION = "org.opentest4j.AssertionFailedError"
REPORTED = "expected: <one hour> but was: <1h 60m>"


def outcome(
    exception: str,
    message: str,
    *,
    method: str = "hour",
    line: int | None = 6,
    frame: Frame | None = None,
    phase: Phase = Phase.CALL,
    status: Status = Status.FAILED,
) -> TestOutcome:
    """How one of the tests ended; `frame` is the line of its own file by default."""
    test = f"{FILE}::DurationsTest::{method}" if method else FILE
    found = frame or (Frame(FILE, line, method) if line else None)
    return TestOutcome(test, FILE, status, phase, failure=Failure(exception, message, found))


def admitted(failing: TestOutcome, issue: str = ISSUE) -> Admission:
    return admit(lambda _: Run({failing.test: failing}), issue, tests=Changes({FILE: CODE}))


@pytest.mark.parametrize(
    ("failing", "strength"),
    [
        (outcome(ASSERTION, REPORTED), Strength.STRONG),
        (
            outcome("org.junit.ComparisonFailure", "expected:<[one hour]> but was:<[1h 60m]>"),
            Strength.STRONG,
        ),
        (
            outcome(
                "junit.framework.ComparisonFailure", "expected:<...[ ho]ur> but was:<1h[ 60]m>"
            ),
            Strength.STRONG,
        ),
        (
            outcome(
                "org.opentest4j.AssertionFailedError",
                '\nexpected: "one hour"\n but was: "1h 60m"',
            ),
            Strength.STRONG,
        ),
        (
            outcome("java.lang.IllegalStateException", "no unit is small enough", frame=IN_CODE),
            Strength.STRONG,
        ),
        (outcome("java.lang.IllegalStateException", "other", frame=IN_CODE), Strength.FAIR),
        (outcome("java.lang.NullPointerException", "x is null", frame=IN_CODE), Strength.WEAK),
    ],
)
def test_what_ties_a_failure_to_the_issue(failing: TestOutcome, strength: Strength) -> None:
    admission = admitted(failing)
    assert admission.admitted, admission.reason
    assert admission.strength == strength


@pytest.mark.parametrize(
    ("failing", "refusal"),
    [
        (
            outcome("CompilationError", f"{FILE}:6: cannot find symbol", phase=Phase.COLLECTION),
            Refusal.OUTSIDE_CALL,
        ),
        (outcome("java.lang.IllegalStateException", "x y z", phase=Phase.SETUP), "outside_call"),
        (
            outcome("java.lang.NoClassDefFoundError", "org/example/Gone", frame=IN_CODE),
            Refusal.BROKEN_TEST,
        ),
        (
            outcome("java.lang.NullPointerException", "it is null", method="unrelated", line=21),
            Refusal.BROKEN_TEST,
        ),
        (
            outcome(ASSERTION, "expected: <true> but was: <false>", method="unrelated", line=21),
            Refusal.UNREPORTED,
        ),
        (outcome("", "", status=Status.CRASHED), Refusal.CUT_SHORT),
        (outcome("", "", status=Status.TIMEOUT), Refusal.CUT_SHORT),
    ],
)
def test_what_is_refused(failing: TestOutcome, refusal: Refusal) -> None:
    admission = admitted(failing)
    assert admission.refusal == refusal, admission.reason


@pytest.mark.parametrize(
    ("failing", "issue"),
    [
        (outcome("", "", status=Status.TIMEOUT), "`Durations.format` never returns"),
        (outcome("", "", status=Status.CRASHED), "`Durations.format`: OutOfMemoryError"),
        (
            outcome("CompilationError", "x: cannot find symbol", phase=Phase.COLLECTION),
            "CompilationError: x: cannot find symbol",
        ),
    ],
)
def test_what_is_refused_unless_the_issue_reports_it(failing: TestOutcome, issue: str) -> None:
    assert admitted(failing, issue).admitted


@pytest.mark.parametrize(
    ("failing", "only_negative"),
    [
        (outcome(ASSERTION, REPORTED), False),
        (
            outcome(ASSERTION, "expected: not equal but was: <1h 60m>", method="denied", line=11),
            True,
        ),
        (
            outcome("java.lang.IllegalStateException", "x", method="survives", frame=IN_CODE),
            True,
        ),
    ],
)
def test_whether_a_test_says_only_what_must_not_be(
    failing: TestOutcome, only_negative: bool
) -> None:
    assert admitted(failing).only_negative is only_negative
