"""From an issue to candidate tests: its code as tests, of which one fails as is reported."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath

from evaluator import PatchError, Phase, Run, TestOutcome
from evaluator.diff import Changes
from evaluator.languages import is_test_file
from evaluator.languages.java.failures import FAILURES
from generator.languages.java.issue_only.drafts import Draft, drafts
from generator.languages.java.issue_only.names import (
    ClassIndex,
    commonly_imported,
    used_types,
)
from generator.languages.java.issue_only.reported import exceptions, wanted_exceptions
from generator.languages.java.issue_only.snippets import snippets
from generator.languages.java.issue_only.style import style_of
from generator.languages.java.issue_only.writing import Place, class_name, test_class
from generator.languages.java.layout import holds_test, package_of
from generator.languages.java.placing import extended, placed
from generator.languages.java.structure import encoded
from generator.report_text import SAID_TO_WORK, wants_it_to_work
from generator.retrieval import Retrieval
from generator.rules import Denial, RuleSettings
from generator.task import Candidate, Task, TestRunner

NAME = "issue-only"

MOST = 6
"""Drafts of an issue that are run."""

ASSERTIONS = frozenset(
    {"AssertionError", "AssertionFailedError", "ComparisonFailure", "MultipleFailuresError"}
    | {"ArrayComparisonFailure", "MultipleFailureException"}
)
_ASSERTED, _THROWN, _CRASHED, _SHOWN, _EXPECTED = (
    (0.85, "asserted"),
    (0.8, "other-exception"),
    (0.75, "exception"),
    (0.7, "value"),
    (0.5, "expected-value"),
)
"""How sure each rule is, and its name."""

RULES = frozenset(
    {name for _, name in (_ASSERTED, _THROWN, _CRASHED, _SHOWN, _EXPECTED)} | {SAID_TO_WORK}
)


def reproducers(task: Task, runner: TestRunner, rules: RuleSettings) -> Iterator[Candidate]:
    """The drafts that fail as the issue says, by rules that are in use. Raises SandboxError.

    Those that `rules` do not allow hold no test, and say why.
    """
    for found in _Reproduction(task, runner).candidates():
        if rules.allow(found.denies):
            if rules.use(found.rules):
                yield found
        else:
            problem = rules.why_not(found.denies)
            yield dataclasses.replace(found, tests=Changes(), problem=problem, symptoms=())


class _Reproduction:
    """The tests of one issue in one tree."""

    def __init__(self, task: Task, runner: TestRunner) -> None:
        self._task, self._runner = task, runner
        self._issue = task.issue
        self._retrieval = Retrieval(task, runner.cache)
        tree = task.subject.pristine
        found = (path.relative_to(tree).as_posix() for path in tree.rglob("*.java"))
        self._project = ClassIndex(sorted(found))
        self._reported = exceptions(task.issue)
        self._wanted = wanted_exceptions(task.issue)
        self._said_to_work = wants_it_to_work(task.issue)

    def candidates(self) -> Iterator[Candidate]:
        """A candidate for each draft that fails as reported, drafts with assertions first."""
        for draft in itertools.islice(drafts(snippets(self._issue)), MOST):
            for form in self._forms(draft):
                yield from self._fitting(form)

    def _forms(self, draft: Draft) -> Iterator[Draft]:
        """A draft with what it is to throw, where the issue says that it throws something else."""
        asserts = any(test.asserts for test in draft.tests)
        if draft.expression or asserts or not self._wanted:
            yield draft
            return
        for exception in sorted(self._wanted):
            tests = tuple(dataclasses.replace(test, throws=exception) for test in draft.tests)
            yield dataclasses.replace(draft, tests=tests)

    def _fitting(self, draft: Draft) -> Iterator[Candidate]:
        for tests, code in self._placements(draft):
            run = self._runner.run_tests(tests)
            failing = self._new_failures(run, tests)
            if any(outcome.phase is not Phase.CALL for outcome in failing):
                continue  # It does not compile there, or cannot be set up.
            rule = self._rule(draft, failing)
            if rule is not None:
                confidence, name = rule
                said = rule is _CRASHED and self._said_to_work
                yield Candidate(
                    tests,
                    f"{NAME}/{name}",
                    words := self._words(failing),
                    code,
                    symptoms=(words,),
                    rules=(name, SAID_TO_WORK) if said else (name,),
                    confidence=confidence,
                    denies=Denial.EXCEPTION if rule is _CRASHED and not said else Denial.NOTHING,
                )
            return

    def _rule(self, draft: Draft, failing: list[TestOutcome]) -> tuple[float, str] | None:
        """What shows that the tests fail as reported; None where they do not."""
        names = {self._reported_name(outcome) for outcome in failing}
        if not names:
            return None
        if draft.expression:
            return self._rule_of_value(draft, failing) if names <= ASSERTIONS else None
        throwing = any(test.throws for test in draft.tests)
        if any(test.asserts for test in draft.tests) and not (throwing and self._wanted):
            return _ASSERTED if names <= ASSERTIONS | self._reported else None
        if throwing:
            return _THROWN if names <= self._reported | ASSERTIONS else None
        return _CRASHED if names <= self._reported else None

    def _reported_name(self, outcome: TestOutcome) -> str:
        """The reported exception that a failure names, as what it wraps, else its own."""
        own = _exception(outcome)
        message = outcome.failure.message if outcome.failure else ""
        wrapped = self._reported.intersection(FAILURES.exceptions.findall(message))
        return own if own in self._reported | ASSERTIONS else min(wrapped, default=own)

    def _rule_of_value(self, draft: Draft, failing: list[TestOutcome]) -> tuple[float, str] | None:
        said = draft.said
        if not said.actual:
            return _EXPECTED
        message = "".join(o.failure.message for o in failing if o.failure)
        return (
            _SHOWN if said.actual.strip('"') in message.replace("[", "").replace("]", "") else None
        )

    def _words(self, failing: list[TestOutcome]) -> str:
        first = failing[0].failure
        return f"{_exception(failing[0])}: {first.message if first else ''}".partition("\n")[0][
            :200
        ]

    def _new_failures(self, run: Run, tests: Changes) -> list[TestOutcome]:
        standing = tuple(p for p in tests.contents if self._task.subject.source(p) is not None)
        before = self._runner.run_standing(standing).outcomes if standing else {}
        return [
            outcome
            for test, outcome in sorted(run.outcomes.items())
            if outcome.status.fails
            and outcome.file in tests.contents
            and not (test in before and before[test].status.fails)
        ]

    def _placements(self, draft: Draft) -> Iterator[tuple[Changes, str]]:
        """A file of its own beside the likeliest tests, then the class of these tests."""
        for path in self._beside(draft)[:1]:
            text = self._text(path)
            place = Place(package_of(path), text, style_of(text), self._familiar)
            name = self._free_name(path)
            code = test_class(draft, name, place, self._project, self._issue)
            if not self._own(used_types(code)):
                continue  # It says nothing of this project.
            new = f"{PurePosixPath(path).parent.as_posix()}/{name}.java"
            try:
                yield placed(self._task.subject.source, new, code), code
                yield Changes({path: encoded(extended(text, code))}), code
            except PatchError:
                continue

    def _beside(self, draft: Draft) -> list[str]:
        """Test files of the package of the class that a draft is about, those named for it first.

        Without any, the test files that are ranked best for the issue.
        """
        code = "\n".join((*draft.members, *(s for test in draft.tests for s in test.statements)))
        subjects = self._subjects(f"{code}\n{draft.expression};")
        packages = [self._project.meant(name, "").rpartition(".")[0] for name in subjects]
        ranked = [file.path for file in self._retrieval.test_files(20)]
        for package in dict.fromkeys(packages):
            near = [path for path in self._tests() if package_of(path) == package]
            if near:
                named = [p for p in near if any(s in PurePosixPath(p).stem for s in subjects[:1])]
                return [*sorted(named, key=len), *(p for p in ranked if p in near), *near]
        return ranked

    def _subjects(self, code: str) -> list[str]:
        """The project's own classes in code, then in the title: the one named most often first."""
        title = self._issue.partition("\n")[0]
        words = Counter(re.findall(r"\w+", f"{self._issue} {title * 3}"))
        used = used_types(code) | set(re.findall(r"\b[A-Z]\w+", title))
        return sorted(self._own(used), key=lambda name: (-words[name], name))

    def _own(self, names: Iterable[str]) -> list[str]:
        """Those names that are of classes of the project, its tests left out."""
        return [name for name in names if self._is_code(self._project.meant(name, ""))]

    def _is_code(self, dotted: str) -> bool:
        return bool(dotted) and not is_test_file(self._project.modules[dotted])

    @cached_property
    def _familiar(self) -> list[str]:
        return commonly_imported(map(self._text, self._project.paths))

    def _tests(self) -> list[str]:
        return [
            path
            for path in self._project.paths
            if is_test_file(path) and holds_test(self._text(path))
        ]

    def _text(self, path: str) -> str:
        return (self._task.subject.source(path) or b"").decode("utf-8", "surrogateescape")

    def _free_name(self, path: str) -> str:
        stem = class_name(self._issue.partition("\n")[0]).removesuffix("Test")
        folder = PurePosixPath(path).parent
        names = (f"{stem}{number or ''}Test" for number in itertools.count())
        return next(
            name for name in names if self._task.subject.source(f"{folder}/{name}.java") is None
        )


def _exception(outcome: TestOutcome) -> str:
    return outcome.failure.exception_type.rpartition(".")[2] if outcome.failure else ""
