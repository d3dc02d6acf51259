"""Writes tests for many tasks: in parallel, within limits, resumable; one row a task."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from evaluator import Instance, Workspace
from evaluator.batch import Carrier, Item, RemoteForm, run_batch
from evaluator.storage import ResultLines, Row, as_json, content_key
from generator.costs import UNLIMITED, Budget, CostTracker, Spending
from generator.errors import problem_of
from generator.method import COMMAND_SECONDS, Method, MethodContext, MethodSettings
from generator.model.choosing import ChosenModel
from generator.model.prices import Price
from generator.model.retries import ModelRetryPolicy
from generator.model.tracked import TrackedModel, check_price
from generator.rules import RuleSettings
from generator.task import Task, TestRunner, instance_task
from generator.trajectory import Trajectory
from generator.trajectory.recorder import SUFFIX, TrajectoryRecorder
from generator.writer import Submit, WritingExit, Written, write

_TRIED_AGAIN = (WritingExit.NOT_RUN, WritingExit.MODEL_ERROR)
"""Ends of rows that a resumed run tries again: a key, or a machine, may be mended since."""


@dataclass(frozen=True)
class Assignment:
    """One task to be done: how it is made, and what it is made of (`inputs`, for the row's key).

    `instance` is what it can be made of elsewhere, with nothing in it that a writer may not know.
    """

    instance_id: str
    inputs: Mapping[str, object]
    make: Callable[[], Task]
    settings: MethodSettings
    instance: Instance | None = None


def instance_assignment(
    workspace: Workspace, instance: Instance, settings: MethodSettings
) -> Assignment:
    """The assignment of an instance of a benchmark."""
    inputs = {
        "repository": instance.repo,
        "commit": instance.base_commit,
        "issue": instance.problem_statement,
    }
    known = replace(
        instance, patch="", test_patch="", hints_text="", fail_to_pass=(), pass_to_pass=()
    )
    make = functools.partial(instance_task, workspace, known)
    return Assignment(instance.instance_id, inputs, make, settings, known)


@dataclass(frozen=True)
class RemoteModel:
    """A model as a worker finds it: its address and key come from the worker's own environment."""

    name: str
    tools: bool | None
    price: Price | None
    retry_policy: ModelRetryPolicy
    keeps_replies: bool


@dataclass(frozen=True)
class RemoteWriting:
    """How a task is done, as it travels to a worker; `rows` is the name of the file of rows.

    `budget` holds the limits that there are, as JSON knows no infinite number.
    """

    method: str
    model: RemoteModel | None
    settings: MethodSettings
    budget: Mapping[str, float]
    submit: Submit
    rows: str


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


def is_final(row: Row) -> bool:
    """Whether a resumed run keeps it."""
    return row.get("exit") not in _TRIED_AGAIN


@dataclass(frozen=True)
class Generation:
    """A method with a model, and where its rows and trajectories go.

    Trajectories lie beside the rows, in `FILE.trajectories/INSTANCE.traj.json`. A `carrier` has
    the work done by workers, which find the model by `remote_model`.
    """

    workspace: Workspace
    method: Method
    model: ChosenModel | None
    path: Path
    settings: GenerationSettings
    carrier: Carrier | None = None
    remote_model: RemoteModel | None = None

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
        rows = ResultLines(self.path, is_final)
        total = CostTracker(self.settings.total, what="all tasks")
        run_batch(
            (self.items(assignment, total) for assignment in assignments),
            rows,
            workers=self.settings.workers,
            progress=lambda row: progress(row, total),
            may_begin=lambda: total.allows_more,
            carrier=self.carrier,
        )
        done = (rows.get(a.instance_id, self._key(a)) for a in assignments)
        return tuple(row for row in done if row is not None)

    def items(self, assignment: Assignment, total: CostTracker) -> Iterator[Item[Row]]:
        """The one item of an assignment, whose costs count in a total, too."""
        # The time of a task runs from here on, so this waits until a worker is free.
        costs = CostTracker(self.settings.budget, parent=total)
        yield Item(
            assignment.instance_id,
            self._key(assignment),
            lambda: self._row(assignment, self._written(assignment, costs), costs),
            lambda error: self._row(assignment, _not_run(error), costs),
            self._remote(assignment, total),
        )

    def _remote(self, assignment: Assignment, total: CostTracker) -> RemoteForm[Row] | None:
        instance = assignment.instance
        if instance is None:
            return None
        trajectory = self._trajectory(assignment.instance_id)
        settings = self.settings
        writing = RemoteWriting(
            self.method.name,
            self.remote_model,
            assignment.settings,
            {n: v for n, v in asdict(settings.budget).items() if v != UNLIMITED},
            settings.submit,
            self.path.name,
        )

        def read(row: Row) -> Row:
            total.count(Spending.of_columns(row))
            return row

        return RemoteForm(
            kind="generate",
            affinity=instance.affinity,
            common=lambda: as_json(writing),
            inputs=lambda: as_json(instance),
            read=read,
            directory=self.path.parent,
            files=trajectory.relative_to(self.path.parent),
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
            "repo": assignment.inputs["repository"],
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
                    "rules": one.candidate.rules,
                    "confidence": one.candidate.confidence,
                    "denies": one.candidate.denies,
                    "verdict": one.candidate.verdict,
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
    if settings.rules == RuleSettings():
        del fields["rules"]
    return fields


def _settings(settings: MethodSettings) -> dict[str, object]:
    return {
        "samples": settings.samples,
        "rounds": settings.rounds,
        "given_patch": settings.given_patch_name,
        "names_test_file": settings.names_test_file,
        "denials": settings.rules.denials,
        "without_rules": settings.rules.without,
    }
