"""Judges a pull request: by the tests of the issues that it closes, and by its own."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.configuration import Configuration
from bot.github.protocol import Repository
from bot.github.types import Check, Conclusion
from bot.jobs.reproduce import write_tests
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobRequest
from bot.messages.verdict import CANNOT_RUN, cannot_run, verdict_check
from evaluator import QUICK, THOROUGH, Change, GivenTests, Thoroughness, change_between
from evaluator import verify as judge_change
from evaluator.checkout import Mirror
from evaluator.diff import apply
from evaluator.languages import is_test_file
from evaluator.report.verification import verification_json

MOST_ISSUES = 5
"""Issues whose tests one pull request is judged by."""


def working(request: JobRequest) -> Check:
    """The check while work goes on."""
    summary = "The tests run without this change and with it; this takes some minutes."
    return Check(request.key, request.head_sha, "Judging this change", summary)


def withdrawn(request: JobRequest) -> Check:
    """The check of a head whose verdict a maintainer called wrong: it is not repeated."""
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title="A maintainer called the verdict on this commit wrong",
        summary="fixgate recorded it, counts it, and says nothing more about this commit.",
        conclusion=Conclusion.NEUTRAL,
    )


def verify(services: Services, request: JobRequest) -> None:
    """Judge the head of a pull request, or of a merge group (number 0), and conclude its check.

    What cannot be judged here (no environment, no sandbox, a change that cannot be applied) is
    concluded as "cannot tell". Raises GitHubError.
    """
    name = request.repository.full_name
    repository = services.github.repository(request.repository.installation, name)
    if services.store.verdicts.called_wrong(name, request.number, request.head_sha):
        repository.put_check(withdrawn(request))
        return
    repository.put_check(working(request))
    configuration, notes = _configuration(repository, request)
    try:
        check = _Judging(services, request, repository, configuration, notes).check()
    except CANNOT_RUN as error:
        check = cannot_run(request, error, gate=configuration.verify.gate, notes=notes)
    repository.put_check(check)


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
        change = dataclasses.replace(found, repo=request.repository.full_name)
        issues = self._issues()
        given = tuple(self._given(issues, mirror, change))
        usable, unusable = _split(given, mirror, change, self.services.data)
        verification = judge_change(
            self.services.workspace(mirror),
            change,
            given=[tests for _, tests in usable],
            issue="\n\n".join(text for _, text in issues),
            thoroughness=self._thoroughness(),
        )
        check = verdict_check(
            self.request,
            verification,
            issues=[number for number, _ in usable],
            gate=self.configuration.verify.gate,
            head=Mirror.open(mirror, self.services.data).source(change.head),
            notes=[*self.notes, *unusable],
            details_url=self._details_url(),
        )
        details = json.dumps(verification_json(verification))
        decision = verification.verdict.decision
        self.services.store.verdicts.add(self.request, decision, check.title, details)
        return check

    def _fetched(self) -> Path:
        request = self.request
        head = f"refs/pull/{request.number}/head" if request.number else request.head_sha
        references = [head, request.base_sha]
        return self.services.mirrors.fetch(
            self.repository, request.repository.full_name, references
        )

    def _issues(self) -> list[tuple[int, str]]:
        """The issues that the pull request closes, with their texts."""
        if not self.request.number:
            return []
        numbers = self.repository.issues_closed_by(self.request.number)[:MOST_ISSUES]
        found = [self.repository.issue(number) for number in numbers]
        return [(issue.number, f"{issue.title}\n\n{issue.text}") for issue in found]

    def _given(
        self, issues: Sequence[tuple[int, str]], mirror: Path, change: Change
    ) -> Iterator[tuple[int, GivenTests]]:
        """The tests of each issue: kept ones, else written now on the base, without the change."""
        for number, text in issues:
            kept = self.services.store.tests.newest(self.request.repository.full_name, number)
            patch = "" if kept is None or self.request.regenerate_tests else kept.patch
            if not patch:
                patch = self._written(number, mirror, change.base)
            if patch:
                yield number, GivenTests(f"test for #{number}", patch, text)

    def _written(self, number: int, mirror: Path, commit: str) -> str:
        written, _ = write_tests(
            self.services,
            self.request.repository,
            self.repository.issue(number),
            mirror=mirror,
            commit=commit,
            limits=self.configuration.limits,
        )
        return written.patch

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


def _split(
    given: Sequence[tuple[int, GivenTests]], mirror: Path, change: Change, cache: Path
) -> tuple[list[tuple[int, GivenTests]], list[str]]:
    """Tests that still apply to the base, and what is to be said of the others."""
    source = Mirror.open(mirror, cache).source(change.base)
    fits = {n: apply(t.patch, source, keep=is_test_file).well_formed for n, t in given}
    usable = [(number, tests) for number, tests in given if fits[number]]
    unusable = [
        f"{tests.name} no longer applies to the base; ask for new tests"
        for number, tests in given
        if not fits[number]
    ]
    return usable, unusable
