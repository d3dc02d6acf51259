"""All rules that look at the files of a change, applied to a change under verification."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from evaluator.diff import Changes, Source
from evaluator.evaluation import Revision
from evaluator.execution import Subject
from evaluator.languages import languages
from evaluator.languages.safeguards import Base, Concern, Test
from evaluator.languages.sources import Changed
from evaluator.verdict.evidence import Evidence
from evaluator.verification.evasion import evasions
from evaluator.verification.unreadable import unreadable


def examined(
    evidence: Evidence, subject: Subject, own: Changes, examples: Sequence[Test], issue: str = ""
) -> Evidence:
    """The evidence with what the files of a change say against it.

    `own` are the tests that it brings along, `examples` the files of all tests that judge it,
    `issue` is what they are about.
    """
    fix = subject.fix.contents
    changed = {**own.contents, **fix}
    return dataclasses.replace(
        evidence,
        configuration=_configuration(changed, subject),
        unreadable=unreadable(changed, subject.source),
        evasions=evasions(fix, subject.source),
        special_cases=special_cases(fix, subject.source, examples, issue),
    )


def _configuration(changed: Changed, subject: Subject) -> tuple[Concern, ...]:
    safeguards = subject.language.safeguards
    base = Base(subject.pristine, subject.source, subject.environments[Revision.BASE])
    return (
        *safeguards.changed_configuration(changed, base),
        *safeguards.unmet_dependencies(changed, base),
    )


def special_cases(
    changed: Changed, source: Source, tests: Sequence[Test], issue: str = ""
) -> tuple[Concern, ...]:
    """Values that stand in the examples of `tests` or `issue`, and that new branches ask for."""
    return tuple(
        concern
        for language in languages()
        for concern in language.safeguards.special_cases(changed, source, tests, issue)
    )
