"""What failures without a change show: the reported symptom, or that something is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluator.admission.match import Strength, match
from evaluator.admission.report import read_report
from evaluator.diff import Source
from evaluator.evaluation import Transition
from evaluator.execution import Subject
from evaluator.transitions import outcome_before
from evaluator.verdict.evidence import reproduces
from evaluator.verification.absence import missing
from evaluator.verification.additions import additions
from evaluator.verification.safeguards import Tried


def symptoms(
    tried: Iterable[Tried], subject: Subject, issues: Sequence[str]
) -> Mapping[str, Strength]:
    """How well the failures of reproducing tests without the change fit one of the issues."""
    reports = [read_report(issue) for issue in issues]
    return {
        t.test: max(match(outcome_before(t), report, source).strength for report in reports)
        for t, source in _reproducing(tried, subject)
        if reports
    }


def lacking(tried: Iterable[Tried], subject: Subject) -> Mapping[str, str]:
    """The reproducing tests that fail as something does not exist yet, each with what that is."""
    added = additions(subject.fix.contents, subject.source)
    found = {
        t.test: missing(t, source, subject.source, added)
        for t, source in _reproducing(tried, subject)
    }
    return {test: what for test, what in found.items() if what}


def _reproducing(tried: Iterable[Tried], subject: Subject) -> Iterator[tuple[Transition, Source]]:
    """The tests that fail without the change and pass with it, with a reader of their files."""
    for each in tried:
        source = each.tests.overlaid(subject.source)
        yield from ((t, source) for t in each.judgement.transitions if reproduces(t))
