"""The second step: what can only be seen in a clone (filters 6 to 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.collecting.filters import (
    CandidateResult,
    Drop,
    FilterName,
    Thresholds,
    pair_tokens,
    sampled,
    without_long_pairs,
)
from evaluator.benchmarks.tests4j.collecting.metadata import RepositoryMetadata
from evaluator.benchmarks.tests4j.dataset import RepositorySnapshot
from evaluator.benchmarks.tests4j.mapping import MethodMapping
from evaluator.benchmarks.tests4j.snapshots import CountTokens, snapshot
from evaluator.benchmarks.tests4j.sources import RepositorySources, read_sources
from evaluator.diff import Changes
from evaluator.errors import CheckoutError, EnvironmentBuildError, InputError
from evaluator.execution import Subject
from evaluator.languages.java.environment.discover import discover_recipe
from evaluator.model import Revision, Run, TestOutcome
from evaluator.sandbox.protocol import ExitReason
from evaluator.storage.files import write_whole
from evaluator.workspace import Workspace

_SHOWN = 5


@dataclass(frozen=True)
class CloneStep:
    """Maps, compiles and tests a repository; logs of both are kept in `logs`.

    `last` is the last filter that is applied; `count_tokens` is None where none by tokens is.
    """

    workspace: Workspace
    mapping: MethodMapping
    thresholds: Thresholds
    seed: int
    count_tokens: CountTokens | None
    last: FilterName
    logs: Path

    def examine(self, metadata: RepositoryMetadata, commit: str) -> CandidateResult:
        """What the filters say of a repository at a commit. Raises SandboxError."""
        try:
            sources = read_sources(self.workspace.repositories, metadata.repo, commit)
        except CheckoutError as error:
            return CandidateResult(
                repo=metadata.repo,
                metadata=metadata,
                dropped_by=FilterName.READABLE,
                reason=str(error),
            )
        mapped = snapshot(sources, self.mapping, self.count_tokens)
        short = without_long_pairs(mapped, self.thresholds.most_tokens)
        kept = sampled(short, self.thresholds.most_tests, self.seed)
        drop = self._drop(sources, mapped, short)
        return CandidateResult(
            repo=metadata.repo,
            metadata=metadata,
            dropped_by=drop.filter if drop else None,
            reason=drop.reason if drop else "",
            pair_tokens=pair_tokens(mapped),
            tests=short.test_count,
            snapshot=None if drop else kept,
        )

    def _drop(
        self, sources: RepositorySources, mapped: RepositorySnapshot, short: RepositorySnapshot
    ) -> Drop | None:
        filters: dict[FilterName, Callable[[], str]] = {
            FilterName.TOKENS: lambda: (
                "" if short.methods or not mapped.methods else "all too long"
            ),
            FilterName.TESTS: lambda: self._too_few(short),
            FilterName.COMPILES: lambda: self._does_not_compile(sources),
            FilterName.PASSES: lambda: self._fails(sources),
        }
        for current, reason_of in filters.items():
            if list(FilterName).index(current) <= list(FilterName).index(self.last):
                reason = reason_of()
                if reason:
                    return Drop(current, reason)
        return None

    def _too_few(self, short: RepositorySnapshot) -> str:
        few = short.test_count < self.thresholds.fewest_tests
        return f"{short.test_count} mapped tests" if few else ""

    def _does_not_compile(self, sources: RepositorySources) -> str:
        try:
            subject = self._subject(sources)
        except (EnvironmentBuildError, CheckoutError, InputError) as error:
            log = error.log if isinstance(error, EnvironmentBuildError) else ""
            self._keep(sources, "compile", f"{error}\n{log}")
            return str(error).splitlines()[0]
        environment = subject.environments[Revision.BASE]
        self._keep(sources, "compile", "\n".join(["compiled with", *environment.packages]))
        return "; ".join(f"{each.place}: {each.reason}" for each in environment.uncompiled)

    def _subject(self, sources: RepositorySources) -> Subject:
        return self.workspace.base(sources.name, sources.commit, discover_recipe)

    def _fails(self, sources: RepositorySources) -> str:
        files = tuple(file.path for file in sources.test_files)
        run = self.workspace.executor.run(self._subject(sources), Revision.BASE, Changes(), files)
        self._keep(sources, "test", _log(run))
        failed = [outcome.test for outcome in run.outcomes.values() if outcome.status.fails]
        if failed:
            return f"{len(failed)} of {len(run.outcomes)} tests fail: {', '.join(failed[:_SHOWN])}"
        if run.ending is not ExitReason.EXITED or not run.outcomes:
            return f"no test ran to its end: {run.ending.value}"
        return ""

    def _keep(self, sources: RepositorySources, kind: str, log: str) -> None:
        self.logs.mkdir(parents=True, exist_ok=True)
        name = f"{sources.name.replace('/', '+')}.{kind}.log"
        write_whole(self.logs / name, log.encode("utf-8", "replace"))


def _log(run: Run) -> str:
    return "\n".join((run.command, *map(_line, run.outcomes.values()), run.output))


def _line(outcome: TestOutcome) -> str:
    failure = outcome.failure
    words = f": {failure.exception_type} {failure.message}" if failure else ""
    return f"{outcome.status} {outcome.test}{words}"
