"""`fixgate tests4j evaluate`: all methods of a dataset, in parallel and resumable."""

from __future__ import annotations

import enum
import functools
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluator.batch import Item, run_batch, shared
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, Tests4JDataset
from evaluator.benchmarks.tests4j.evaluating import Evaluator
from evaluator.benchmarks.tests4j.focal import focal_lines
from evaluator.benchmarks.tests4j.maven_build import MavenEvaluator
from evaluator.benchmarks.tests4j.outcomes import Replies
from evaluator.benchmarks.tests4j.predictions import MethodReplies
from evaluator.benchmarks.tests4j.preparing import StrippedRepository, prepare, strip
from evaluator.benchmarks.tests4j.results import FORMAT, MethodResult
from evaluator.benchmarks.tests4j.similarity import Ngram, trivially_shared
from evaluator.errors import CheckoutError
from evaluator.languages import language
from evaluator.run import runner_digest
from evaluator.storage.keys import content_key, short_key
from evaluator.storage.results import ResultFiles
from evaluator.storage.typed import as_json, read_as
from evaluator.workspace import Workspace

MOST_TOGETHER = 125
"""Replies that are compiled and run together: few enough that workers share a repository."""

NO_PREDICTIONS = "there are no predictions for its methods"


class BuildWay(enum.StrEnum):
    """What compiles and runs tests: our own runner, or Maven as in the thesis."""

    DIRECT = "direct"
    MAVEN = "maven"


@dataclass(frozen=True)
class EvaluationSettings:
    """How predictions are evaluated. Each test runs `1 + reruns` times, and against `mutants`.

    Maven runs all tests of a repository together, and knows neither reruns nor mutants.
    """

    reruns: int = 0
    mutants: bool = False
    workers: int = 1
    build: BuildWay = BuildWay.DIRECT


class _RepositoryEvaluator(Protocol):
    """Evaluates methods of one repository."""

    @property
    def repository(self) -> StrippedRepository: ...

    def evaluate(self, replies: Sequence[Replies]) -> Mapping[str, MethodResult]: ...


@dataclass
class _Preparation:
    """A repository that is prepared once, when a worker first asks for it."""

    snapshot: RepositorySnapshot
    make: Callable[[], _RepositoryEvaluator]
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _made: Callable[[], _RepositoryEvaluator] | None = None

    def get(self) -> _RepositoryEvaluator:
        """What evaluates it, or the error in preparing it, for all that ask."""
        with self._lock:
            if self._made is None:
                self._made = shared(self.make)
            return self._made()


@dataclass(frozen=True)
class Evaluation4J:
    """An evaluation of predictions whose results are kept below `out`."""

    workspace: Workspace
    dataset: Tests4JDataset
    predictions: Mapping[str, MethodReplies]
    out: Path
    settings: EvaluationSettings

    def run(self, progress: Callable[[MethodResult], None]) -> Sequence[MethodResult]:
        """The results of all methods; those that are on disk are not made again.

        A repository for none of whose methods there are predictions is not laid down.
        """
        common = trivially_shared(
            test.source for _, method in self.dataset.methods() for test in method.tests
        )
        preparations = [
            _Preparation(each, functools.partial(self._evaluator, each, common))
            for each in self.dataset.repositories
            if self._is_predicted(each)
        ]
        groups = [
            self._items(preparation, methods)
            for preparation in preparations
            for methods in self._together(preparation.snapshot)
        ]
        store = ResultFiles[MethodResult](
            self.out / "methods",
            "result",
            as_json,
            lambda row: read_as(MethodResult, row),
            lambda result: result.is_final,
        )
        found = run_batch(groups, store, workers=self.settings.workers, progress=progress)
        return [*found.values(), *self._unpredicted(progress)]

    def _is_predicted(self, snapshot: RepositorySnapshot) -> bool:
        return any(method.id in self.predictions for method in snapshot.methods)

    def _unpredicted(self, progress: Callable[[MethodResult], None]) -> Iterator[MethodResult]:
        for snapshot in self.dataset.repositories:
            if not self._is_predicted(snapshot):
                for method in snapshot.methods:
                    result = MethodResult(snapshot.name, method.id, (), error=NO_PREDICTIONS)
                    progress(result)
                    yield result

    def _evaluator(
        self, snapshot: RepositorySnapshot, common: frozenset[Ngram]
    ) -> _RepositoryEvaluator:
        settings, workspace = self.settings, self.workspace
        if settings.build is BuildWay.MAVEN:
            return MavenEvaluator(workspace, strip(workspace, snapshot), common)
        prepared = prepare(workspace, snapshot)
        return Evaluator(workspace, prepared, common, settings.reruns, settings.mutants)

    def _together(self, snapshot: RepositorySnapshot) -> Iterator[Sequence[FocalMethod]]:
        """Methods next to each other. Results must not depend on how many work on them."""
        most = math.inf if self.settings.build is BuildWay.MAVEN else MOST_TOGETHER
        ordered = sorted(snapshot.methods, key=lambda method: (method.test_path, method.id))
        together: list[FocalMethod] = []
        for method in ordered:
            if together and sum(map(self._replies, [*together, method])) > most:
                yield together
                together = []
            together.append(method)
        yield together

    def _replies(self, method: FocalMethod) -> int:
        prediction = self.predictions.get(method.id)
        return len(prediction.replies) if prediction else 0

    def _items(
        self, preparation: _Preparation, methods: Sequence[FocalMethod]
    ) -> Iterable[Item[MethodResult]]:
        @shared
        def results() -> Mapping[str, MethodResult]:
            return self._results(preparation.get(), methods)

        snapshot = preparation.snapshot
        for method in methods:
            yield Item(
                name=f"{snapshot.name.replace('/', '+')}/{short_key(method.id)}",
                key=self._key(snapshot, method),
                work=lambda method=method: results()[method.id],  # type: ignore[misc]
                failed=lambda error, method=method: _failed(snapshot, method, error),  # type: ignore[misc]
            )

    def _results(
        self, evaluator: _RepositoryEvaluator, methods: Sequence[FocalMethod]
    ) -> Mapping[str, MethodResult]:
        """The results of methods; one whose files are missing harms no other."""
        repository = evaluator.repository
        found: dict[str, MethodResult] = {}
        replies = []
        for method in methods:
            try:
                replies.append(self._processed(repository, method))
            except CheckoutError as error:
                found[method.id] = _failed(repository.snapshot, method, error)
        return {**found, **evaluator.evaluate(replies)}

    def _processed(self, repository: StrippedRepository, method: FocalMethod) -> Replies:
        repository.source(method.test_path)
        lines = focal_lines(method, repository.source(method.focal_path))
        return Replies.of(method, lines, self.predictions.get(method.id))

    def _key(self, snapshot: RepositorySnapshot, method: FocalMethod) -> str:
        prediction = self.predictions.get(method.id)
        return content_key(
            FORMAT,
            runner_digest(language("java")),
            snapshot.commit,
            method.model_dump(mode="json"),
            prediction.model_dump(mode="json") if prediction else None,
            self.settings.reruns,
            self.settings.mutants,
            self.settings.build,
        )


def _failed(snapshot: RepositorySnapshot, method: FocalMethod, error: Exception) -> MethodResult:
    return MethodResult(snapshot.name, method.id, (), error=str(error) or type(error).__name__)
