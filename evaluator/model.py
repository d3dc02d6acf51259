"""The nouns: what is judged, what a run of tests shows, and what judging shows.

All other modules import them from here, and they import nothing of ours but how a command ended.
"""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, cast

from annotated_types import Ge, Le

from evaluator.sandbox.protocol import ExitReason

Source = Callable[[str], bytes | None]
"""Path in a tree -> content of the file there, None where no file is.

A source may raise PatchError for a path that must not be touched (one that goes through a
symbolic link, say); the error is reported for whatever wanted the path.
"""

Count = Annotated[int, Ge(0)]
Seconds = Annotated[float, Ge(0)]
Share = Annotated[float, Ge(0), Le(1)]
TransitionKind = Literal["F->F", "F->P", "F->-", "P->F", "P->P", "P->-", "-->F", "-->P", "-->-"]


@dataclass(frozen=True)
class Instance:
    """One bug of a benchmark: a repository at a commit, the issue, the golden fix and golden tests.

    The fields are those of SWE-bench (https://www.swebench.com), with the JSON strings decoded.
    `repo` is `owner/name`; `patch` is the golden code patch and `test_patch` the golden tests,
    both unified diffs against `base_commit`. `version` is empty where the dataset leaves it so;
    `language` names the one of the code and the tests (see `evaluator.languages`).
    """

    instance_id: str
    repo: str
    base_commit: str
    patch: str
    test_patch: str
    problem_statement: str = ""
    hints_text: str = ""
    created_at: datetime.datetime | None = None
    version: str = ""
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    environment_setup_commit: str = ""
    language: str = "python"

    @property
    def affinity(self) -> str:
        """Names the environment that it needs, as far as that is known: repository and version."""
        return f"{self.repo} {self.version}".strip()


@dataclass(frozen=True)
class Prediction:
    """Tests that somebody proposes for an instance: a unified diff or block-format text."""

    instance_id: str
    name: str
    patch: str
    model: str = ""
    reference_verdict: str = ""


class Status(enum.StrEnum):
    """How one test ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    MISSING = "missing"

    @property
    def fails(self) -> bool:
        """Whether the test ran, or should have run, and did not get through."""
        return self in FAILING

    @property
    def is_cut_short(self) -> bool:
        """Whether the test did not end: its run did, in it or before it."""
        return self in _CUT_SHORT

    @classmethod
    def of_cut(cls, ending: ExitReason) -> Status:
        """How the tests end that a run did not come to the end of, by how it was cut."""
        ended = {ExitReason.TIMEOUT: cls.TIMEOUT, ExitReason.MEMORY: cls.OUT_OF_MEMORY}
        return ended.get(ending, cls.CRASHED)


_CUT_SHORT = frozenset({Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED})
"""How tests end with the run that they are in."""
FAILING = frozenset({Status.FAILED, Status.ERROR}) | _CUT_SHORT


class Phase(enum.StrEnum):
    """The part of a test in which it failed."""

    COLLECTION = "collection"
    SETUP = "setup"
    CALL = "call"
    TEARDOWN = "teardown"


@dataclass(frozen=True)
class Frame:
    """A place in the code."""

    path: str
    """Path relative to the tree"""
    line: Count
    """Line number, from 1; 0 where it is not known"""
    function: str
    """Function name"""


@dataclass(frozen=True)
class Failure:
    """Why a test did not pass."""

    exception_type: str
    """Qualified name: `django.core.exceptions.FieldError`, `AssertionError`"""
    message: str
    """The exception's text"""
    frame: Frame | None = None
    """Deepest frame in the project's own code, else in its tests; null where none is in the tree"""


@dataclass(frozen=True)
class TestOutcome:
    """One test in one run. `test` is unique within a run and stable between runs.

    pytest: the node id. unittest and Django: `module.Class.method`. sympy: `path::function`.
    A file that cannot be collected is an outcome of its own, named by its path, with
    phase `collection`. `file` is the path of the test file relative to the tree ("" if unknown);
    `description` is the first line of the docstring, which some runners print as the name.
    """

    __test__ = False

    test: str
    file: str
    status: Status
    phase: Phase | None = None
    duration_seconds: float = 0.0
    failure: Failure | None = None
    description: str = ""


LineHits = Mapping[str, Mapping[int, int]]
"""Path relative to the tree -> line (from 1) -> number of executions; lines with 0 are left out."""


@dataclass(frozen=True)
class Run:
    """Everything that one run of test files reported.

    `outcomes` is keyed by test name. `hits` covers the traced lines only. `contexts` maps a test
    to the traced lines that rose while it ran, `executed` maps it to what was recorded of the code
    of the tree that it executed ("" stands for what ran outside of tests), and `unseen` names tests
    of which not everything could be recorded: they start processes or trace too. `command` is what
    reproduces the run by hand. `untraced` maps a path whose lines could not be counted to the
    reason.
    """

    outcomes: Mapping[str, TestOutcome]
    hits: LineHits = field(default_factory=dict)
    contexts: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    executed: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()
    ending: ExitReason = ExitReason.EXITED
    exit_code: int | None = 0
    output: str = ""
    wall_seconds: float = 0.0
    command: str = ""
    untraced: Mapping[str, str] = field(default_factory=dict)

    def status_of(self, test: str, file: str) -> Status:
        """The status of a test, known also when the run never got to it.

        A test whose file could not be collected is an `error`; one that a run cut short never
        reached ends as the run did; one that a complete run does not know is `missing`.
        """
        if test in self.outcomes:
            return self.outcomes[test].status
        if file and file in self.outcomes:
            return self.outcomes[file].status
        return Status.MISSING if self.ending is ExitReason.EXITED else Status.of_cut(self.ending)

    @property
    def interrupted(self) -> tuple[str, ...]:
        """The tests that had begun, and not ended, when the run was cut."""
        return tuple(
            test
            for test, each in self.outcomes.items()
            if each.status.is_cut_short and each.phase is not None
        )

    def was_cut_before(self, test: str, file: str) -> bool:
        """Whether the run was ended before it came to a test, of which it says nothing then."""
        is_cut = self.ending is not ExitReason.EXITED
        return is_cut and self.outcomes.keys().isdisjoint((test, file))


class State(enum.StrEnum):
    """The one state in which an instance ends. Only GRADED says something about the prediction."""

    GRADED = "graded"
    MISSING_PREDICTION = "missing_prediction"
    CHECKOUT_ERROR = "checkout_error"
    INTERPRETER_MISSING = "interpreter_missing"
    ENVIRONMENT_ERROR = "environment_error"
    GOLDEN_ERROR = "golden_error"
    SANDBOX_ERROR = "sandbox_error"
    WORKER_LOST = "worker_lost"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True)
class Side:
    """How one test ended on one side (R or R∘X)."""

    status: Status
    phase: Phase | None = None
    """Part of the test in which it failed"""
    duration_seconds: Seconds = 0.0
    failure: Failure | None = None

    @property
    def begun(self) -> bool:
        """Whether the run came to the test: what it never began ends as the run did."""
        return self.phase is not None or not self.status.is_cut_short


@dataclass(frozen=True)
class Transition:
    """One test on both sides."""

    test: str
    """Name, unique within the run"""
    file: str
    """Path of its file relative to the tree"""
    before: Side
    """On R"""
    after: Side
    """On R∘X"""
    flaky: bool = False
    """Disagreed with itself between reruns on one side; never counts as fail-to-pass"""
    preexisting: bool = False
    """Stood in a touched file before T and ends the same without it; not held against T"""
    steady_with_fix: bool = False
    """Flaky, but passed every time on R∘X"""

    @property
    def kind(self) -> TransitionKind:
        """F: failed, P: passed, -: neither."""
        kind = f"{_letter(self.before.status)}->{_letter(self.after.status)}"
        return cast(TransitionKind, kind)


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
    """One changed line of the fix."""

    path: str
    """Path relative to the tree"""
    line: Annotated[int, Ge(1)]
    """Line number on its side"""
    side: Revision
    """R: removed, numbered on R; R∘X: added, numbered on R∘X"""
    state: LineState
    text: str = ""
    """The line"""
    tests: tuple[str, ...] = ()
    """Tests that execute it, where known"""


@dataclass(frozen=True)
class ChangeCoverage:
    """Change coverage (SWT-Bench, section 3.3). `value` is None without executable lines."""

    lines: tuple[ChangedLine, ...] = ()
    """Every changed line of the fix"""

    @property
    def executable(self) -> Count:
        """Number of changed lines that T^R or T* executes on its side."""
        return sum(line.state is not LineState.NOT_EXECUTABLE for line in self.lines)

    @property
    def covered(self) -> Count:
        """Number of executable changed lines whose execution count rises with T."""
        return sum(line.state is LineState.COVERED for line in self.lines)

    @property
    def value(self) -> Share | None:
        """Share of executable changed lines that are covered, from 0 to 1."""
        return self.covered / self.executable if self.executable else None


@dataclass(frozen=True)
class Evaluation:
    """One prediction judged on one instance."""

    instance_id: str
    prediction: str
    """Name of the prediction"""
    state: State
    """The state in which the instance ended; only graded says something about the prediction"""
    repo: str = ""
    """OWNER/NAME"""
    well_formed: bool = False
    """W"""
    success: bool = False
    """S"""
    transitions: tuple[Transition, ...] = ()
    """Every test on both sides"""
    coverage: ChangeCoverage = field(default_factory=ChangeCoverage)
    timings: Mapping[str, Seconds] = field(default_factory=dict)
    """Seconds by step"""
    reasons: tuple[str, ...] = ()
    """Why the prediction succeeded or not, or why the instance did not run"""
    left_out: tuple[str, ...] = ()
    """Files of the prediction that were not applied, as they are not tests"""
    relaxations: tuple[str, ...] = ()
    """What had to be forgiven to apply the prediction"""
    issue_words: Count = 0
    """Length of the issue in words"""
    reference_verdict: str = ""
    """Published verdict of the reference harness: resolved, unresolved, error, or empty"""
    patch: str = ""
    """The prediction as given"""
    golden_patch: str = ""
    """The golden fix"""
    commands: Mapping[str, str] = field(default_factory=dict)
    """By name of the run, the command that repeats it"""

    @property
    def change_coverage(self) -> Share | None:
        """Covered over executable changed lines; null where no changed line is executable."""
        return self.coverage.value

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
