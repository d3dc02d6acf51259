"""Applies the filters to candidates, resumably, and gathers what is left."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from evaluator.batch import Item, run_batch
from evaluator.benchmarks.tests4j.collecting.candidates import ListedRepository
from evaluator.benchmarks.tests4j.collecting.clones import CloneStep
from evaluator.benchmarks.tests4j.collecting.filters import (
    CandidateResult,
    FilterName,
    drop_by_metadata,
)
from evaluator.benchmarks.tests4j.collecting.metadata import MetadataSource, RepositoryMetadata
from evaluator.storage.keys import content_key
from evaluator.storage.results import ResultFiles

_METADATA_FILTERS = (
    FilterName.LEAKAGE,
    FilterName.EXISTENCE,
    FilterName.SIZE,
    FilterName.BUILD,
    FilterName.AGE,
)


@dataclass(frozen=True)
class Collection4J:
    """A collection in a directory, which goes on from what is there.

    `asked` stands for all that metadata depend on beside the candidate, and `inputs` for all that
    results depend on beside the metadata.
    """

    source: MetadataSource
    clones: CloneStep
    leaked: Collection[str]
    directory: Path
    workers: int
    asked: Mapping[str, object]
    inputs: Mapping[str, object]

    def run(
        self,
        candidates: Sequence[ListedRepository],
        on_metadata: Callable[[RepositoryMetadata], None],
        on_result: Callable[[CandidateResult], None],
    ) -> tuple[CandidateResult, ...]:
        """What came of each candidate, in their order.

        Raises FixgateError where metadata cannot be had: what was found so far is kept.
        """
        metadata = self._metadata(candidates, on_metadata)
        dropped = {each.repo: self._dropped(metadata[each.repo]) for each in candidates}
        for result in filter(None, dropped.values()):
            on_result(result)
        cloned = self._cloned(
            [each for each in candidates if dropped[each.repo] is None], metadata, on_result
        )
        return tuple(dropped[each.repo] or cloned[each.repo] for each in candidates)

    def _metadata(
        self,
        candidates: Iterable[ListedRepository],
        progress: Callable[[RepositoryMetadata], None],
    ) -> Mapping[str, RepositoryMetadata]:
        store = ResultFiles[RepositoryMetadata](
            self.directory / "metadata",
            "metadata",
            lambda each: each.model_dump(mode="json"),
            RepositoryMetadata.model_validate,
            lambda _: True,
        )
        groups = [[self._asked(each)] for each in candidates]
        return run_batch(groups, store, workers=self.workers, progress=progress)

    def _asked(self, candidate: ListedRepository) -> Item[RepositoryMetadata]:
        repo, leaks = candidate.repo, candidate.repo.lower() in self.leaked
        key = content_key(self.asked, dataclasses.asdict(candidate), leaks)
        # What leaks is dropped whatever else is known of it, so that nobody is asked.
        known = RepositoryMetadata(repo=repo)
        return Item(repo, key, lambda: known if leaks else self.source.find(repo), _end)

    def _dropped(self, metadata: RepositoryMetadata) -> CandidateResult | None:
        drop = drop_by_metadata(metadata, self.leaked, self.clones.thresholds)
        if drop is None and self.clones.last not in _METADATA_FILTERS:
            return None
        applied = drop if drop and _not_after(drop.filter, self.clones.last) else None
        return CandidateResult(
            repo=metadata.repo,
            metadata=metadata,
            dropped_by=applied.filter if applied else None,
            reason=applied.reason if applied else "",
        )

    def _cloned(
        self,
        candidates: Sequence[ListedRepository],
        metadata: Mapping[str, RepositoryMetadata],
        progress: Callable[[CandidateResult], None],
    ) -> Mapping[str, CandidateResult]:
        store = ResultFiles[CandidateResult](
            self.directory / "candidates",
            "candidate",
            lambda each: each.model_dump(mode="json"),
            CandidateResult.model_validate,
            lambda each: not each.problem,
        )
        groups = [[self._examined(each, metadata[each.repo])] for each in candidates]
        return run_batch(groups, store, workers=self.workers, progress=progress)

    def _examined(
        self, candidate: ListedRepository, metadata: RepositoryMetadata
    ) -> Item[CandidateResult]:
        commit = candidate.commit or metadata.commit
        key = content_key(self.inputs, metadata.model_dump(mode="json"), commit)
        return Item(
            candidate.repo,
            key,
            lambda: self.clones.examine(metadata, commit),
            lambda error: CandidateResult(
                repo=candidate.repo, metadata=metadata, problem=f"{type(error).__name__}: {error}"
            ),
        )


def _end(error: Exception) -> NoReturn:
    raise error


def _not_after(one: FilterName, other: FilterName) -> bool:
    order = list(FilterName)
    return order.index(one) <= order.index(other)
