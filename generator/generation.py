"""Writes tests for many tasks: in parallel, within limits, resumable; one row a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from evaluator import Workspace
from evaluator.batch import Item, run_batch
from evaluator.storage import ResultLines, Row, content_key
from generator.costs import Budget, CostTracker
from generator.errors import problem_of
from generator.method import COMMAND_SECONDS, Method, MethodContext, MethodSettings
from generator.model.choosing import ChosenModel
from generator.model.tracked import TrackedModel, check_price
from generator.task import Task, TestRunner
from generator.trajectory import Trajectory
from generator.trajectory.recorder import SUFFIX, TrajectoryRecorder
from generator.writer import Submit, WritingExit, Written, write

_TRIED_AGAIN = (WritingExit.NOT_RUN, WritingExit.MODEL_ERROR)
"""Ends of rows that a resumed run tries again: a key, or a machine, may be mended since."""


@dataclass(frozen=True)
class Assignment:
    """One task to be done: how it is made, and what it is made of (`inputs`, for the row's key)."""

    instance_id: str
    inputs: Mapping[str, object]
    make: Callable[[], Task]
    settings: MethodSettings


@dataclass(frozen=True)
class GenerationSettings:
    """How tasks are done. `budget` is that of each task, `total` that of all together."""

    budget: Budget = field(default_factory=Budget)
    total: Budget = field(default_factory=Budget)
    workers: int = 1
    submit: Submit = Submit.ADMITTED

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """All of them."""
        return (self.budget, self.total)


@dataclass(frozen=True)
class Generation:
    """A method with a model, and where its rows and trajectories go.

    Trajectories lie beside the rows, in `FILE.trajectories/INSTANCE.traj.json`.
    """

    workspace: Workspace
    method: Method
    model: ChosenModel | None
    path: Path
    settings: GenerationSettings

    def run(
        self, assignments: Sequence[Assignment], progress: Callable[[Row, CostTracker], None]
    ) -> tuple[Row, ...]:
        """Do what is not done yet; the rows of all that was done, in the order of assignments.

        Rows that were made from the same inputs stay. Once a limit of the whole is used up, no
        further task is begun, and what was not begun has no row. Raises InputError for a file
        that holds something else than rows, and for a limit that cannot be kept.
        """
        if self.model is not None:
            check_price(self.model.model.name, self.model.price, self.settings.budgets)
        rows = ResultLines(self.path, lambda row: row.get("exit") not in _TRIED_AGAIN)
        total = CostTracker(self.settings.total, what="all tasks")
        run_batch(
            (self._item(assignment, total) for assignment in assignments),
            rows,
            workers=self.settings.workers,
            progress=lambda row: progress(row, total),
            may_begin=lambda: total.allows_more,
        )
        done = (rows.get(a.instance_id, self._key(a)) for a in assignments)
        return tuple(row for row in done if row is not None)

    def _item(self, assignment: Assignment, total: CostTracker) -> Iterator[Item[Row]]:
        # The time of a task runs from here on, so this waits until a worker is free.
        costs = CostTracker(self.settings.budget, parent=total)
        yield Item(
            assignment.instance_id,
            self._key(assignment),
            lambda: self._row(assignment, self._written(assignment, costs), costs),
            lambda error: self._row(assignment, _not_run(error), costs),
        )

    def _written(self, assignment: Assignment, costs: CostTracker) -> Written:
        task = assignment.make()
        recorder = TrajectoryRecorder(
            self._trajectory(task.instance_id),
            {"instance_id": task.instance_id, "method": self.method.name, "issue": task.issue},
            statistics=lambda: costs.spending.statistics(),
        )
        model = self._tracked(costs, recorder)
        runner = TestRunner(self.workspace, task.subject)
        work = MethodContext(task, runner, assignment.settings, recorder, model)
        written = write(self.method, work, self.settings.submit)
        recorder.finish(written.exit, written.patch, {"reason": written.reason})
        return written

    def _tracked(self, costs: CostTracker, trajectory: Trajectory) -> TrackedModel | None:
        if self.model is None:
            return None
        return TrackedModel(self.model.model, costs, trajectory, self.model.price)

    @property
    def _model_name(self) -> str:
        return "" if self.model is None else self.model.model.name

    def _trajectory(self, instance_id: str) -> Path:
        directory = self.path.with_name(f"{self.path.name}.trajectories")
        return directory / f"{instance_id}{SUFFIX}"

    def _key(self, assignment: Assignment) -> str:
        return content_key(
            {
                "inputs": assignment.inputs,
                "method": self.method.name,
                "model": self._model_name,
                "settings": _in_key(assignment.settings),
                "submit": self.settings.submit,
            }
        )

    def _row(
        self, assignment: Assignment, written: Written, costs: CostTracker
    ) -> dict[str, object]:
        """A prediction of SWT-Bench, with where it comes from and what it took."""
        model = self._model_name
        return {
            "model_name_or_path": f"{self.method.name}+{model}" if model else self.method.name,
            "model_patch": written.patch,
            "reason": written.reason,
            "confidence": round(written.confidence, 4),
            "admitted": written.admitted,
            "exit": written.exit,
            "problem": written.problem,
            "method": self.method.name,
            "model": model,
            "origin": written.origin,
            "settings": _settings(assignment.settings),
            "candidates": [
                {
                    "origin": one.candidate.origin,
                    "note": one.candidate.note,
                    "admitted": one.admission.admitted,
                    "reason": one.admission.reason,
                }
                for one in written.considered
            ],
            **costs.spending.columns(),
            "seconds": round(written.seconds, 3),
        }


def _not_run(error: Exception) -> Written:
    """What comes of a task that could not be run. Raises what would end all tasks alike."""
    return Written("", problem_of(error), WritingExit.NOT_RUN)


def _in_key(settings: MethodSettings) -> dict[str, object]:
    """All settings; rows that were made before there was one of them were made with its default."""
    fields = asdict(settings)
    if settings.command_seconds == COMMAND_SECONDS:
        del fields["command_seconds"]
    return fields


def _settings(settings: MethodSettings) -> dict[str, object]:
    return {
        "samples": settings.samples,
        "rounds": settings.rounds,
        "given_patch": settings.given_patch_name,
        "names_test_file": settings.names_test_file,
    }
