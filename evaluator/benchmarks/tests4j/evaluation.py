"""`fixgate tests4j evaluate`: all methods of a dataset, in parallel and resumable."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.batch import Item, run_batch, shared
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, Tests4JDataset
from evaluator.benchmarks.tests4j.evaluating import Evaluator, Replies
from evaluator.benchmarks.tests4j.predictions import MethodReplies
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, prepare
from evaluator.benchmarks.tests4j.results import FORMAT, MethodResult
from evaluator.benchmarks.tests4j.similarity import Ngram, trivially_shared
from evaluator.languages import language
from evaluator.run import runner_digest
from evaluator.storage.keys import content_key, short_key
from evaluator.storage.results import ResultFiles
from evaluator.storage.typed import as_json, read_as
from evaluator.workspace import Workspace

MOST_TOGETHER = 250
"""Replies that are compiled and run together: few enough that workers share a repository."""


@dataclass(frozen=True)
class EvaluationSettings:
    """How predictions are evaluated. Each test runs `1 + reruns` times, and against `mutants`."""

    reruns: int = 0
    mutants: bool = False
    workers: int = 1


@dataclass(frozen=True)
class Evaluation4J:
    """An evaluation of predictions whose results are kept below `out`."""

    workspace: Workspace
    dataset: Tests4JDataset
    predictions: Mapping[str, MethodReplies]
    out: Path
    settings: EvaluationSettings

    def run(self, progress: Callable[[MethodResult], None]) -> Sequence[MethodResult]:
        """The results of all methods; those that are on disk are not made again."""
        common = trivially_shared(
            test.source for _, method in self.dataset.methods() for test in method.tests
        )
        groups = [
            self._items(snapshot, methods, common)
            for snapshot in self.dataset.repositories
            for methods in self._together(snapshot)
        ]
        store = ResultFiles[MethodResult](
            self.out / "methods",
            "result",
            as_json,
            lambda row: read_as(MethodResult, row),
            lambda result: result.is_final,
        )
        found = run_batch(groups, store, workers=self.settings.workers, progress=progress)
        return list(found.values())

    def _together(self, snapshot: RepositorySnapshot) -> Iterator[Sequence[FocalMethod]]:
        """Methods of one module, those of a test class next to each other."""
        ordered = sorted(snapshot.methods, key=lambda method: (method.test_path, method.id))
        for _, own in itertools.groupby(ordered, key=lambda method: _module(method.test_path)):
            together: list[FocalMethod] = []
            count = 0
            for method in own:
                replies = self._replies(method)
                if together and count + replies > MOST_TOGETHER:
                    yield together
                    together, count = [], 0
                together.append(method)
                count += replies
            yield together

    def _replies(self, method: FocalMethod) -> int:
        prediction = self.predictions.get(method.id)
        return len(prediction.replies) if prediction else 0

    def _items(
        self, snapshot: RepositorySnapshot, methods: Sequence[FocalMethod], common: frozenset[Ngram]
    ) -> Iterable[Item[MethodResult]]:
        @shared
        def results() -> Mapping[str, MethodResult]:
            prepared = prepare(self.workspace, snapshot)
            replies = [Replies.of(each, self.predictions.get(each.id)) for each in methods]
            return self._evaluator(prepared, common).evaluate(replies)

        for method in methods:
            yield Item(
                name=f"{snapshot.name.replace('/', '+')}/{short_key(method.id)}",
                key=self._key(snapshot, method),
                work=lambda method=method: results()[method.id],  # type: ignore[misc]
                failed=lambda error, method=method: _failed(snapshot, method, error),  # type: ignore[misc]
            )

    def _evaluator(self, prepared: PreparedRepository, common: frozenset[Ngram]) -> Evaluator:
        settings = self.settings
        return Evaluator(self.workspace, prepared, common, settings.reruns, settings.mutants)

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
        )


def _module(path: str) -> str:
    """The directory of a module, as far as a path shows it."""
    return path.partition("src/")[0]


def _failed(snapshot: RepositorySnapshot, method: FocalMethod, error: Exception) -> MethodResult:
    return MethodResult(snapshot.name, method.id, (), error=str(error) or type(error).__name__)
