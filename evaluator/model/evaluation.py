"""What judging a prediction or a fix shows: transitions, success, change coverage, verdict."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evaluator.model.outcome import Failure, Phase, Status


class State(enum.StrEnum):
    """The one state in which an instance ends. Only GRADED says something about the prediction."""

    GRADED = "graded"
    MISSING_PREDICTION = "missing_prediction"
    CHECKOUT_ERROR = "checkout_error"
    INTERPRETER_MISSING = "interpreter_missing"
    ENVIRONMENT_ERROR = "environment_error"
    GOLDEN_ERROR = "golden_error"
    SANDBOX_ERROR = "sandbox_error"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True)
class Side:
    """How one test ended on one side (R or R∘X)."""

    status: Status
    phase: Phase | None = None
    duration_seconds: float = 0.0
    failure: Failure | None = None


@dataclass(frozen=True)
class Transition:
    """One test on both sides. `before` is R, `after` is R∘X.

    `flaky` marks a test that disagreed with itself between reruns on one side; it never counts
    as fail-to-pass. `steady_with_fix` marks a flaky one that passed every time on R∘X.
    `preexisting` marks a test of a touched file that stood there before T and
    ends the same without T, so that it is not held against T.
    """

    test: str
    file: str
    before: Side
    after: Side
    flaky: bool = False
    preexisting: bool = False
    steady_with_fix: bool = False

    @property
    def kind(self) -> str:
        """`F->P`, `F->F`, `P->P`, `P->F`, or with `-` where a side neither passed nor failed."""
        return f"{_letter(self.before.status)}->{_letter(self.after.status)}"


def _letter(status: Status) -> str:
    if status.fails:
        return "F"
    return "P" if status is Status.PASSED else "-"


class LineState(enum.StrEnum):
    """What the tests do with one changed line."""

    COVERED = "covered"
    UNCOVERED = "uncovered"
    NOT_EXECUTABLE = "not_executable"


class Revision(enum.StrEnum):
    """The two sides of a fix: the base commit R, and R with the fix X applied."""

    BASE = "R"
    FIXED = "R∘X"


@dataclass(frozen=True)
class ChangedLine:
    """One changed line of the fix: removed lines are numbered on R, added ones on R∘X."""

    path: str
    line: int
    side: Revision
    state: LineState
    text: str = ""
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChangeCoverage:
    """Change coverage (SWT-Bench, section 3.3). `value` is None without executable lines."""

    lines: tuple[ChangedLine, ...] = ()

    @property
    def executable(self) -> int:
        """Number of changed lines that T^R or T* executes on its side."""
        return sum(line.state is not LineState.NOT_EXECUTABLE for line in self.lines)

    @property
    def covered(self) -> int:
        """Number of executable changed lines whose execution count rises with T."""
        return sum(line.state is LineState.COVERED for line in self.lines)

    @property
    def value(self) -> float | None:
        """Share of executable changed lines that are covered, from 0 to 1."""
        return self.covered / self.executable if self.executable else None


@dataclass(frozen=True)
class Evaluation:
    """One prediction judged on one instance.

    `timings` maps a step to seconds; `reasons` says in words why the prediction succeeded or not,
    or why the instance did not run. `left_out` names files of the prediction that were not applied
    because they are not tests; `relaxations` what had to be forgiven to apply the rest.
    `commands` maps the name of a run to the command that repeats it by hand.
    """

    instance_id: str
    prediction: str
    state: State
    repo: str = ""
    well_formed: bool = False
    success: bool = False
    transitions: tuple[Transition, ...] = ()
    coverage: ChangeCoverage = field(default_factory=ChangeCoverage)
    timings: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    relaxations: tuple[str, ...] = ()
    issue_words: int = 0
    reference_verdict: str = ""
    patch: str = ""
    golden_patch: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)

    @property
    def fail_to_any(self) -> bool:
        """F->x: whether some test of T fails on R."""
        return any(t.before.status.fails for t in self._own_tests())

    @property
    def fail_to_pass(self) -> bool:
        """F->P: whether some test of T fails on R and passes on R∘X."""
        return any(t.kind == "F->P" for t in self._own_tests())

    @property
    def pass_to_pass(self) -> bool:
        """P->P: whether some test of T passes on both sides."""
        return any(t.kind == "P->P" for t in self._own_tests())

    def _own_tests(self) -> Iterable[Transition]:
        return (t for t in self.transitions if not (t.flaky or t.preexisting))
