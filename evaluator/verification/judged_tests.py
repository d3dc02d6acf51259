"""Tests with what they showed of a change, and what their failures without it show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.admission.match import ReportedSymptoms, Strength, match, read_report
from evaluator.checkout.submodules import submodule_named
from evaluator.diff import Changes, Source
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.model import Phase, Revision, Run, Transition
from evaluator.transitions import outcome_before
from evaluator.verdict.evidence import reproduces

SHORTEST_BUDGET = 10.0
"""Seconds that further runs may take at least; at most they take as long as the tests did."""
_MOST_TIMES = 5
"""How often as long as the tests did with the change they may take with parts of it alone."""


@dataclass(frozen=True)
class JudgedTests:
    """A set of tests that judged a change, and what they showed of it."""

    tests: Changes
    judgement: Judgement

    @property
    def seconds(self) -> float:
        """How long all its runs took, those of the tests as they stood before among them."""
        judgement = self.judgement
        pairs = [*judgement.attempts, *filter(None, [judgement.before_tests])]
        return sum(pair.base.wall_seconds + pair.fixed.wall_seconds for pair in pairs)

    @property
    def reproducing(self) -> Mapping[str, str]:
        """The tests that fail without the change and pass with it, with their files."""
        return {t.test: t.file for t in self.judgement.transitions if reproduces(t)}

    def run_on_part(self, executor: Executor, subject: Subject) -> Run:
        """The reproducing tests with a part of the change alone, which `subject` has for its fix.

        They may not end where the rest is what ends a loop. Raises SandboxError.
        """
        names = self.reproducing
        with_all = self.judgement.attempts[0].fixed.wall_seconds
        return executor.run(
            subject,
            Revision.FIXED,
            self.tests,
            tuple(sorted({*names.values()}.intersection(self.judgement.files))),
            only=frozenset(names),
            seconds=max(SHORTEST_BUDGET, _MOST_TIMES * with_all),
        )


_SHORTEST_TEXT = 10
"""Characters of a text that stands in a test and in an issue by no accident."""


def symptoms(
    sets: Iterable[JudgedTests], subject: Subject, issues: Sequence[str]
) -> Mapping[str, Strength]:
    """How well the failures of reproducing tests without the change fit one of the issues."""
    reports = [read_report(issue, subject.language) for issue in issues]
    return {
        t.test: max(_fits(t, report, source) for report in reports)
        for t, source in _reproducing(sets, subject)
        if reports
    }


def _fits(transition: Transition, report: ReportedSymptoms, source: Source) -> Strength:
    """As `match` says; where it finds nothing, WEAK for a test that uses a text of the issue."""
    found = match(outcome_before(transition), report, source).strength
    if found is not Strength.NONE:
        return found
    texts = report.language.test_code.texts(transition, source)
    said = any(report.says(text) for text in texts if len(text) >= _SHORTEST_TEXT)
    return Strength.WEAK if said else Strength.NONE


def lacking(sets: Iterable[JudgedTests], subject: Subject) -> Mapping[str, str]:
    """The reproducing tests that fail as something does not exist yet, each with what that is."""
    missing_in = subject.language.sources.absences(subject.fix.contents, subject.files)
    found = {t.test: missing_in(t, source) for t, source in _reproducing(sets, subject)}
    return {test: what for test, what in found.items() if what}


def unloaded(own: JudgedTests, given: Iterable[JudgedTests], subject: Subject) -> dict[str, str]:
    """The tests that could be loaded on neither side, with what they lack, if that is known.

    Given tests count where they lack something that no change of this repository can bring: a
    change that does not bring the rest leaves them failing.
    """
    tests = own.judgement.transitions
    found = {t.test: _lacked(t, subject) for t in tests if _is_unloaded(t)}
    others = (t for each in given for t in each.judgement.transitions if _is_unloaded(t))
    return found | {t.test: what for t in others if (what := _lacked(t, subject))}


def _is_unloaded(transition: Transition) -> bool:
    sides = (transition.before, transition.after)
    return all(side.status.fails and side.phase is Phase.COLLECTION for side in sides)


def _lacked(transition: Transition, subject: Subject) -> str:
    environment = subject.environments[Revision.BASE]
    outcome = outcome_before(transition)
    said = outcome.failure.message if outcome.failure else ""
    if submodule := submodule_named(said, subject.pristine):
        return f"submodule {submodule}"
    return subject.language.environments.lacking(environment, outcome, subject.pristine)


def _reproducing(
    sets: Iterable[JudgedTests], subject: Subject
) -> Iterator[tuple[Transition, Source]]:
    """The tests that fail without the change and pass with it, with a reader of their files."""
    for each in sets:
        source = each.tests.overlaid(subject.files)
        yield from ((t, source) for t in each.judgement.transitions if reproduces(t))
