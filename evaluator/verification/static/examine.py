"""All rules that look at the files of a change, applied to a change under verification."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from evaluator.diff import Changes
from evaluator.evaluation import Revision
from evaluator.execution import Subject
from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.environment.types import python_environment
from evaluator.verdict.evidence import Concern, Evidence
from evaluator.verification.static.dependencies import unmet_dependencies
from evaluator.verification.static.evasion import evasions
from evaluator.verification.static.examples import Test
from evaluator.verification.static.plugins import loaded_first
from evaluator.verification.static.special_cases import special_cases
from evaluator.verification.static.steering import steering, taken_names
from evaluator.verification.static.unreadable import unreadable

_TARGET = re.compile(r"=\s*([\w.]+)")


def examined(
    evidence: Evidence, subject: Subject, own: Changes, examples: Iterable[Test], issue: str = ""
) -> Evidence:
    """The evidence with what the files of a change say against it.

    `own` are the tests that it brings along, `examples` the files of all tests that judge it,
    `issue` is what they are about.
    """
    fix = subject.fix.contents
    changed = {**own.contents, **fix}
    return dataclasses.replace(
        evidence,
        configuration=(*_steering(changed, subject), *_dependencies(changed, subject)),
        unreadable=unreadable(changed, subject.source),
        evasions=evasions(fix, subject.source),
        special_cases=special_cases(fix, subject.source, examples, issue),
    )


def _steering(changed: Mapping[str, bytes | None], subject: Subject) -> tuple[Concern, ...]:
    environment = subject.environments[Revision.BASE]
    roots = python_environment(environment).recipe.import_roots
    taken = taken_names(environment)
    conftests = [
        path.relative_to(subject.pristine).as_posix()
        for path in subject.pristine.rglob("conftest.py")
    ]
    return (
        *steering(changed, subject.source, taken=taken, roots=roots),
        *loaded_first(
            changed,
            subject.source,
            conftests,
            plugins=_registered(subject.pristine),
            roots=roots,
        ),
    )


def _registered(tree: Path) -> Iterator[str]:
    """The modules that a project registers as plug-ins of pytest."""
    for line in read_project(tree).entry_points.get("pytest11", ()):
        yield from _TARGET.findall(line)


def _dependencies(changed: Mapping[str, bytes | None], subject: Subject) -> tuple[Concern, ...]:
    return unmet_dependencies(changed, subject.pristine, subject.environments[Revision.BASE])
