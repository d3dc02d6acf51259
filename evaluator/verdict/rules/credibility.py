"""Rules on whether the runs can be believed at all, and say something of what the change does."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.languages.safeguards import Concern
from evaluator.sandbox.protocol import ExitReason
from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.failures import lacks_something
from evaluator.verdict.rules.wording import distinct, finding, listed


def flaky(evidence: Evidence) -> Finding | None:
    """Abstain: a test disagrees with itself.

    On the base alone that is no matter where another test reproduces, and never does otherwise.
    """
    stable = bool(evidence.reproducing)
    unstable = [
        t
        for t in evidence.transitions
        if t.flaky and not t.preexisting and not (stable and t.steady_with_fix)
    ]
    return finding("flaky", Decision.ABSTAIN, "does not end the same way when run again", unstable)


def leans_on_other_tests(evidence: Evidence) -> Finding | None:
    """Abstain: a reproducing test passes without the fix, or fails with it, when it runs alone."""
    return finding(
        "leans_on_other_tests",
        Decision.ABSTAIN,
        "ends otherwise when it runs alone",
        evidence.dependent,
    )


def run_cut_short(evidence: Evidence) -> Finding | None:
    """Abstain: a run did not come to its end."""
    runs = [
        run for j in evidence.judgements for pair in j.attempts for run in (pair.base, pair.fixed)
    ]
    endings = sorted({run.ending.value for run in runs if run.ending is not ExitReason.EXITED})
    if not endings:
        return None
    return Finding(
        "run_cut_short", Decision.ABSTAIN, f"a test run was cut short: {', '.join(endings)}"
    )


def configuration_changed(evidence: Evidence) -> Finding | None:
    """Abstain: the change edits what steers the tests, and could make them say anything."""
    what = "the change edits how tests are run"
    return _concerning("configuration_changed", what, evidence.configuration)


def cannot_be_read(evidence: Evidence) -> Finding | None:
    """Abstain: what the change does cannot be read, and so cannot be known to be a fix."""
    what = "the change has files that cannot be read"
    return _concerning("cannot_be_read", what, evidence.unreadable)


def looks_at_its_tests(evidence: Evidence) -> Finding | None:
    """Abstain: the changed code can know that it is tested, or change what tests it."""
    what = "the change reaches for what runs or tests it"
    return _concerning("looks_at_its_tests", what, evidence.evasions)


def handles_only_the_example(evidence: Evidence) -> Finding | None:
    """Abstain: the changed code asks for the very values of the tests or of the issue."""
    what = "the change handles only the reported example"
    return _concerning("handles_only_the_example", what, evidence.special_cases)


def _concerning(rule: str, what: str, concerns: Sequence[Concern]) -> Finding | None:
    """What a rule says of some files; nothing where there are none."""
    if not concerns:
        return None
    named = listed(tuple(dict.fromkeys(map(str, concerns))), shown=5)
    return Finding(rule, Decision.ABSTAIN, f"{what}: {named}")


def wrong_reason(evidence: Evidence) -> Finding | None:
    """Abstain: without the fix the tests fail only because they cannot find what it adds."""
    tests = evidence.reproducing
    if not tests or not all(lacks_something(evidence, t) for t in tests):
        return None
    what = sorted({evidence.missing.get(t.test, "a name that they use") for t in tests})
    verb = "does" if len(what) == 1 else "do"
    reason = f"without the change the tests fail only because {listed(what)} {verb} not exist yet"
    return Finding("wrong_reason", Decision.ABSTAIN, reason, distinct(tests))


def change_not_executed(evidence: Evidence) -> Finding | None:
    """Abstain: other tests execute changed lines, but none does that fails without the fix.

    Lines that run only when their module is imported belong to no test, and say nothing here.
    """
    names = {t.test for t in evidence.reproducing}
    lines = [line for j in evidence.judgements for line in j.coverage.lines]
    executed = [line.tests for line in lines if line.tests]
    if not names or not executed or any(names.intersection(tests) for tests in executed):
        return None
    reason = "the tests that fail without the change execute none of its changed lines"
    return Finding("change_not_executed", Decision.ABSTAIN, reason)
