"""The title of a verdict: what happened to the test of the issue, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages.findings import decisive, in_words
from bot.messages.judged import Judged
from bot.messages.markdown import is_plain
from bot.messages.phrases import NOTHING_TO_CHECK
from evaluator import Basis, Decision, Finding, Transition, is_success
from evaluator.diff import Source
from evaluator.report.failures import failure_in_words

_BREAKS = ("passing_test_breaks", "regression")


def title_of(judged: Judged) -> str:
    """One line of plain text, with what strangers' tests printed in it."""
    verdict = judged.verification.verdict
    if verdict.decision is Decision.ACCEPT:
        return ", ".join(filter(None, [_accepted(judged), judged.executed]))
    found = decisive(verdict.findings, verdict.decision)
    if verdict.decision is Decision.ABSTAIN:
        return _undecided(judged, found)
    return _broken(judged, found[0]) if found[0].rule in _BREAKS else _unfixed(judged, found[0])


def _accepted(judged: Judged) -> str:
    if judged.verification.verdict.basis is Basis.OWN_TESTS:
        return "Its own tests fail without this change and pass with it"
    fixed = [f"#{test.number}" for test, j in judged.by_issue if is_success(j.transitions)]
    return f"Fixes {', '.join(fixed)}: {judged.reproducing}" if fixed else judged.reproducing


def _undecided(judged: Judged, found: Sequence[Finding]) -> str:
    if judged.has_no_test:
        return f"Nothing to check: {NOTHING_TO_CHECK}"
    return f"Cannot tell: {_with_files(judged, found[0])}" if found else "Cannot tell"


def _with_files(judged: Judged, finding: Finding) -> str:
    """What a rule says, with the files that it is about where there are few."""
    evidence = judged.verification.evidence
    concerns = {
        "configuration_changed": evidence.configuration,
        "edits_data_of_tests": evidence.edited_data,
        "cannot_be_read": evidence.unreadable,
        "more_than_files": evidence.beyond,
        "breaks_callers": evidence.refused_calls,
        "unseen_effects": evidence.unseen_effects,
    }.get(finding.rule, ())
    files = list(dict.fromkeys(concern.path for concern in concerns))
    more = f" and {len(files) - 2} more" if len(files) > 2 else ""
    listed = f" ({', '.join(files[:2])}{more})"
    return f"{in_words(finding)}{listed if files and is_plain(listed) else ''}"


def _broken(judged: Judged, finding: Finding) -> str:
    evidence = judged.verification.evidence
    every = [*evidence.transitions, *evidence.regressions.broken]
    first = next(t for t in every if t.test in finding.tests and t.kind == "P->F")
    more = len(finding.tests) - 1
    others = f" and {more} more test{'s' if more > 1 else ''}" if more else ""
    return f"Breaks {_short(first.test)}{others}{_because(first, judged.source(first))}"


def _unfixed(judged: Judged, finding: Finding) -> str:
    for test, judgement in judged.by_issue:
        for t in judgement.transitions:
            if t.test in finding.tests and t.after.status.fails and not t.preexisting:
                return f"The test for #{test.number} still fails{_because(t, test.source)}"
    return f"Does not fix what its tests show: {in_words(finding)}"


def _because(transition: Transition, source: Source) -> str:
    why = failure_in_words(transition, transition.after, source)
    return f": {why}" if why and is_plain(why) else ""


def _short(test: str) -> str:
    """The last part of a test's name."""
    name = test.rpartition("::")[2] if "::" in test else test.rpartition(".")[2]
    return name if is_plain(name) else "a test"
