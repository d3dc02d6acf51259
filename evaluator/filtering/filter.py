"""Filters fixes by generated tests, instance by instance, in parallel, resumably.

Each finished instance is a file of its own. A filter that is started again takes those as they
are, provided that its inputs are the same, and tries again what could not be judged.
"""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.admission import TIMES
from evaluator.batch import Carrier, Item, RemoteForm, run_batch
from evaluator.errors import state_of
from evaluator.filtering.inputs import Fix
from evaluator.filtering.measuring import Given, admit_all, measure, weigh
from evaluator.filtering.results import FixResult, FixState, InstanceResult, TestSet
from evaluator.languages import language
from evaluator.model import Instance, Prediction
from evaluator.run import runner_digest
from evaluator.storage.keys import content_key
from evaluator.storage.results import ResultFiles
from evaluator.storage.typed import as_json, read_as
from evaluator.verification.thoroughness import THOROUGH
from evaluator.workspace import Workspace

Progress = Callable[[InstanceResult], None]

_FINAL = frozenset({FixState.JUDGED, FixState.FIX_ERROR})
"""States that a resumed filter keeps; the others may come from a machine that was mended since."""


@dataclass(frozen=True)
class FilterSettings:
    """How fixes are filtered.

    Tests must fail in `admission_runs` runs on the base commit, `reruns` is how often all runs of
    admitted tests are made again, and `witnesses` writers of tests must find the bug fixed for an
    acceptance. `workers` instances are worked on at the same time. Existing tests of the base run
    for up to `regression_budget` seconds on each fix.
    """

    admission_runs: int = TIMES
    reruns: int = 0
    witnesses: int = 1
    workers: int = 1
    regression_budget: float = THOROUGH.regression_seconds


@dataclass(frozen=True)
class FilterJob:
    """One instance with the fixes for it and the tests that judge them."""

    instance: Instance
    fixes: tuple[Fix, ...]
    tests: tuple[Prediction, ...]


def is_final(result: InstanceResult) -> bool:
    """Whether a resumed filter keeps it."""
    return all(fix.state in _FINAL for fix in result.fixes)


class Filter:
    """One filtering into one output directory, carried out by threads, or by a carrier."""

    def __init__(
        self,
        workspace: Workspace,
        directory: Path,
        settings: FilterSettings,
        carrier: Carrier | None = None,
    ) -> None:
        self._carrier = carrier
        self._workspace = workspace
        self._store = ResultFiles(
            directory / "instances",
            "result",
            to_json=as_json,
            from_json=_read,
            is_final=is_final,
        )
        self._settings = settings

    def run(self, jobs: Sequence[FilterJob], progress: Progress) -> tuple[InstanceResult, ...]:
        """Judge every fix; results in the order of the jobs.

        An instance that cannot be judged ends in a named state and harms no other.
        """
        found = run_batch(
            ([self.item(job)] for job in jobs),
            self._store,
            workers=self._settings.workers,
            progress=progress,
            carrier=self._carrier,
        )
        return tuple(found[job.instance.instance_id] for job in jobs)

    def item(self, job: FilterJob) -> Item[InstanceResult]:
        """All fixes of an instance, which share the admission of its tests."""
        return Item(
            job.instance.instance_id,
            self._key(job),
            lambda: self._judged(job),
            lambda error: _unjudged(job, error),
            self._remote(job),
        )

    def _remote(self, job: FilterJob) -> RemoteForm[InstanceResult]:
        return RemoteForm(
            kind="filter",
            affinity=job.instance.affinity,
            common=lambda: as_json(dataclasses.replace(self._settings, workers=1)),
            inputs=lambda: as_json(job),
            read=_read,
        )

    def _key(self, job: FilterJob) -> str:
        instance = dataclasses.replace(job.instance, created_at=None)
        return content_key(
            {
                "instance": dataclasses.asdict(instance),
                "fixes": [dataclasses.asdict(fix) for fix in job.fixes],
                "tests": [dataclasses.asdict(prediction) for prediction in job.tests],
                "settings": dataclasses.asdict(dataclasses.replace(self._settings, workers=1)),
                "probe": runner_digest(language(instance.language)),
            }
        )

    def _judged(self, job: FilterJob) -> InstanceResult:
        times = self._settings.admission_runs
        given = tuple(admit_all(self._workspace, job.instance, job.tests, times=times))
        fixes = tuple(self._fix(job.instance, fix, given) for fix in job.fixes)
        tests = tuple(_test_set(one) for one in given)
        return InstanceResult(job.instance.instance_id, job.instance.repo, tests, fixes)

    def _fix(self, instance: Instance, fix: Fix, given: Sequence[Given]) -> FixResult:
        try:
            measured = measure(self._workspace, instance, fix, given, reruns=self._settings.reruns)
            return weigh(
                self._workspace,
                measured,
                witnesses=self._settings.witnesses,
                regression_seconds=self._settings.regression_budget,
            )
        except Exception as error:  # whatever it is: one broken fix must not harm another
            return _failed(fix, error)


def jobs(
    instances: Iterable[Instance],
    fixes: Iterable[Fix],
    predictions: Mapping[str, Mapping[str, Prediction]],
) -> tuple[FilterJob, ...]:
    """The instances that have fixes, with these and with the tests for them."""
    by_instance: dict[str, list[Fix]] = {}
    for fix in fixes:
        by_instance.setdefault(fix.instance_id, []).append(fix)
    return tuple(
        FilterJob(
            instance,
            tuple(by_instance[instance.instance_id]),
            tuple(
                rows[instance.instance_id]
                for rows in predictions.values()
                if instance.instance_id in rows
            ),
        )
        for instance in instances
        if instance.instance_id in by_instance
    )


def _read(document: Any) -> InstanceResult:
    return read_as(InstanceResult, document)


def _test_set(given: Given) -> TestSet:
    admission = given.admission
    return TestSet(
        given.name, given.writer, admission.refusal, admission.strength, admission.reason
    )


def _unjudged(job: FilterJob, error: Exception) -> InstanceResult:
    """What comes of an instance whose tests could not be run at all."""
    fixes = tuple(_failed(fix, error) for fix in job.fixes)
    return InstanceResult(job.instance.instance_id, job.instance.repo, (), fixes)


def _failed(fix: Fix, error: Exception) -> FixResult:
    state = FixState(state_of(error, unusable_patch=FixState.FIX_ERROR))
    known = state is not FixState.INTERNAL_ERROR
    reasons = (str(error),) if known else tuple(traceback.format_exception(error)[-6:])
    return FixResult(fix.instance_id, fix.name, fix.resolved, state, reasons=reasons)
