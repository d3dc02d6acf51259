"""Judges a pull request: by the tests of the issues that it closes, and by its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.configuration import Configuration
from bot.github.models import Issue
from bot.github.protocol import Repository
from bot.github.types import Check
from bot.jobs.evidence import evidence_json
from bot.jobs.reproduce import write_tests
from bot.jobs.scope import why_nothing
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobRequest, JobResult
from bot.messages import checks
from bot.messages.judged import IssueTest, Judged
from bot.messages.phrases import CALLED_WRONG, NO_LONGER_APPLIES
from bot.messages.verdict import verdict_check
from bot.store.kept_tests import KeptTests
from bot.telemetry import span
from evaluator import (
    QUICK,
    THOROUGH,
    Change,
    FixgateError,
    GivenTests,
    Thoroughness,
    Verification,
    change_between,
)
from evaluator import verify as judge_change
from evaluator.checkout import Mirror
from evaluator.diff import Source, apply
from evaluator.languages import is_test_file

MOST_ISSUES = 5
"""Issues whose tests one pull request is judged by."""


def verify(services: Services, request: JobRequest) -> JobResult:
    """Judge the head of a pull request, or of a merge group (number 0), and conclude its check.

    What cannot be judged here (no environment, no sandbox, a change that cannot be applied) is
    concluded as "cannot tell", and the job's page keeps why. Raises GitHubError.
    """
    name = request.repository.full_name
    repository = services.github.repository(request.repository.installation, name)
    if services.store.verdicts.called_wrong(name, request.number, request.head_sha):
        repository.put_check(checks.withdrawn(request))
        return JobResult()
    repository.put_check(checks.working(request))
    configuration, notes = _configuration(repository, request)
    judging = _Judging(services, request, repository, configuration, notes)
    message = ""
    try:
        check = judging.check()
    except checks.CANNOT_RUN as error:
        check = judging.cannot_run(error)
        message = f"{error}\n{checks.log_of(error)}".strip()
    repository.put_check(check)
    return JobResult(message=message)


def _configuration(repository: Repository, request: JobRequest) -> tuple[Configuration, list[str]]:
    """That of the default branch; mistakes that this change makes are shown on it."""
    configuration, _ = configuration_of(repository, repository.default_branch())
    _, mistakes = configuration_of(repository, request.head_sha)
    notes = [f".github/fixgate.yml, line {m.line}: {m.key} {m.message}" for m in mistakes]
    return configuration, notes


@dataclass(frozen=True)
class _Judging:
    """One verification, from what GitHub says to the check that it gets."""

    services: Services
    request: JobRequest
    repository: Repository
    configuration: Configuration
    notes: Sequence[str]

    def check(self) -> Check:
        mirror = self._fetched()
        request, cache = self.request, self.services.data
        found = change_between(mirror, request.base_sha, request.head_sha, cache)
        full_name = request.repository.full_name
        change = dataclasses.replace(found, repo=full_name)
        paths = change.paths
        if why := why_nothing(paths, self.configuration.verify.paths_ignore):
            return checks.nothing_to_check(request, why, paths, notes=self.notes)
        base = Mirror.open(mirror, self.services.data).source(change.base)
        self.services.mirrors.fetch_submodules(self.repository, full_name, change.base, cache)
        check, judged = self._verdict(mirror, change)
        decision = judged.verification.verdict.decision
        store, rests_on = self.services.store, [test.tests_id for test in judged.tests]
        with span("verdict", {"fixgate.decision": decision}):
            evidence = evidence_json(judged, base)
            store.verdicts.add(request, decision, check.title, evidence, rests_on=rests_on)
        if store.tests.any_retired(rests_on):
            return checks.without_basis(request, gate=self.configuration.verify.gate)
        return check

    def cannot_run(self, error: FixgateError) -> Check:
        """The check where one of `CANNOT_RUN` was raised."""
        return checks.cannot_run(
            self.request,
            error,
            gate=self.configuration.verify.gate,
            notes=self.notes,
            details_url=self._details_url(),
        )

    def _verdict(self, mirror: Path, change: Change) -> tuple[Check, Judged]:
        issues = self._issues()
        source = Mirror.open(mirror, self.services.data).source
        tests, unusable = self._tests(issues, mirror, change.base, source(change.base))
        verification = judge_change(
            self.services.workspace(mirror),
            change,
            given=[GivenTests(f"test for #{t.number}", t.patch, t.issue.report) for t in tests],
            issue="\n\n".join(issue.report for issue in issues),
            thoroughness=self._thoroughness(),
        )
        notes = [*self.notes, *unusable]
        judged = Judged(verification, tests, source(change.head))
        if self._lacks_code(change) and _reproduces_nothing(verification):
            why, paths = "no code changed", sorted(change.tests.contents)
            return checks.nothing_to_check(self.request, why, paths, notes=notes), judged
        check = verdict_check(
            self.request,
            judged,
            gate=self.configuration.verify.gate,
            notes=notes,
            details_url=self._details_url(),
        )
        return check, judged

    def _lacks_code(self, change: Change) -> bool:
        return bool(why_nothing(change.code.contents, self.configuration.verify.paths_ignore))

    def _fetched(self) -> Path:
        request = self.request
        head = f"refs/pull/{request.number}/head" if request.number else request.head_sha
        references = [head, request.base_sha]
        return self.services.mirrors.fetch(
            self.repository, request.repository.full_name, references
        )

    def _issues(self) -> Sequence[Issue]:
        """The issues that the pull request closes."""
        if not self.request.number:
            return []
        numbers = self.repository.issues_closed_by(self.request.number)[:MOST_ISSUES]
        return [self.repository.issue(number) for number in numbers]

    def _tests(
        self, issues: Sequence[Issue], mirror: Path, base: str, source: Source
    ) -> tuple[list[IssueTest], list[str]]:
        """The tests of issues that apply to the base, and what is to be said of the others."""
        tests, notes = [], []
        for issue in issues:
            found = self._kept(issue, mirror, base)
            if found is None:
                notes += self._why_none(issue)
                continue
            applied = apply(found.patch, source, keep=is_test_file)
            if applied.well_formed:
                tests.append(IssueTest(issue, found.patch, applied.changes, source, found.id))
            else:
                notes.append(NO_LONGER_APPLIES.format(issue.number))
        return tests, notes

    def _kept(self, issue: Issue, mirror: Path, base: str) -> KeptTests | None:
        """The kept tests of an issue, else those that are written now; None where there are none.

        After its tests were called wrong, others are only written where somebody asks for them.
        """
        tests, name = self.services.store.tests, self.request.repository.full_name
        known = tests.newest(name, issue.number)
        is_answered = known is not None or bool(tests.retired(name, issue.number))
        if is_answered and not self.request.regenerate_tests:
            return known
        written, _ = write_tests(
            self.services,
            self.request.repository,
            issue,
            mirror=mirror,
            commit=base,
            configuration=self.configuration,
        )
        return tests.newest(name, issue.number) if written.patch else None

    def _why_none(self, issue: Issue) -> list[str]:
        """What is to be said of an issue without tests."""
        gone = self.services.store.tests.retired(self.request.repository.full_name, issue.number)
        return [CALLED_WRONG.format(issue.number)] if gone else []

    def _thoroughness(self) -> Thoroughness:
        wanted, reruns = self.configuration.verify, self.services.reruns
        usual = QUICK if wanted.quick else THOROUGH
        budget = wanted.regression_budget
        limited = usual if budget is None else usual.with_regressions(budget)
        return dataclasses.replace(
            limited, reruns=min(QUICK.reruns, reruns) if wanted.quick else reruns
        )

    def _details_url(self) -> str:
        base = self.services.public_url.rstrip("/")
        return f"{base}/jobs/{self.request.key}" if base else ""


def _reproduces_nothing(verification: Verification) -> bool:
    """Whether nothing speaks against a change, and no test for it either."""
    return {finding.rule for finding in verification.verdict.findings} == {"nothing_reproduces"}
