"""Rules on what tests notice: other expected values, and parts of the change that go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluator.judge import Judgement
from evaluator.verdict.basis import Basis, basis_of, counting
from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules.wording import finding, listed
from evaluator.verdict.trials import PartKind, Sensitivity, TrialOutcome


def passes_whatever_is_asserted(evidence: Evidence) -> Finding | None:
    """Abstain: a test passes with the change although it expects something else."""
    tests = (test for reactions in evidence.reactions for test in reactions.tests)
    held = [test for test in tests if test.reaction is TrialOutcome.HELD]
    names = tuple(dict.fromkeys(f"{t.test} ({t.place})" if t.place else t.test for t in held))
    if not names:
        return None
    reason = f"{listed(names)}: passes with the change whatever it asserts"
    found = tuple(dict.fromkeys(test.test for test in held))
    return Finding("passes_whatever_is_asserted", Decision.ABSTAIN, reason, found)


def nothing_asserted(evidence: Evidence) -> Finding | None:
    """Abstain: no test of an issue, or of the change alone, is known to notice other values."""
    for judgements in _of_each_issue(evidence):
        tests = [test for judgement in judgements for test in _counting(evidence, judgement)]
        if tests and not any(test.reaction is TrialOutcome.NOTICED for test in tests):
            names = tuple(dict.fromkeys(test.test for test in tests))
            reason = f"{listed(names)}: {_why(tests)}"
            return Finding("nothing_asserted", Decision.ABSTAIN, reason, names)
    return None


def no_hunk_noticed(evidence: Evidence) -> Finding | None:
    """Abstain: the tests of an issue, or of the change alone, notice no part of it that goes."""
    hunks = [part for part in evidence.parts if part.kind is PartKind.HUNK]
    noticing = {test for hunk in hunks for test in hunk.tests}
    for judgements in _of_each_issue(evidence) if hunks else ():
        tests = [t for judgement in judgements for t in counting(evidence, judgement)]
        if tests and noticing.isdisjoint(test.test for test in tests):
            return finding(
                "no_hunk_noticed",
                Decision.ABSTAIN,
                "passes without any one part of the change",
                tests,
            )
    return None


def _why(tests: Sequence[Sensitivity]) -> str:
    if any(test.reaction is TrialOutcome.UNTRIED for test in tests):
        return "could not be run with other expected values"
    return "asserts nothing that could be replaced by something else"


def _of_each_issue(evidence: Evidence) -> Sequence[Sequence[Judgement]]:
    """The tests of each issue, those of the change where it rests on them alone."""
    if evidence.own is not None and basis_of(evidence) is Basis.OWN_TESTS:
        return [[evidence.own]]
    issues = dict.fromkeys(tests.issue for tests in evidence.generated)
    generated = (
        [tests.judgement for tests in evidence.generated if tests.issue == issue]
        for issue in issues
    )
    found = [*([judgement] for judgement in evidence.given), *generated]
    tested = [each for each in found if any(counting(evidence, judgement) for judgement in each)]
    return tested or [list(evidence.trusted)]


def _counting(evidence: Evidence, judgement: Judgement) -> Iterator[Sensitivity]:
    """How the tests of a judgement react that an acceptance may rest on."""
    names = {test.test for test in counting(evidence, judgement)}
    for reactions in evidence.reactions:
        if reactions.judgement is judgement:
            yield from (test for test in reactions.tests if test.test in names)
