"""What a test run shows: an outcome for each test, line hits, and how the process ended."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator.sandbox.protocol import ExitReason


class Status(enum.StrEnum):
    """How one test ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MISSING = "missing"

    @property
    def fails(self) -> bool:
        """Whether the test ran, or should have run, and did not get through."""
        return self in FAILING


FAILING = frozenset({Status.FAILED, Status.ERROR, Status.TIMEOUT, Status.CRASHED})


class Phase(enum.StrEnum):
    """The part of a test in which it failed."""

    COLLECTION = "collection"
    SETUP = "setup"
    CALL = "call"
    TEARDOWN = "teardown"


@dataclass(frozen=True)
class Frame:
    """A place in the code: path relative to the tree, line counted from 1, function name."""

    path: str
    line: int
    function: str


@dataclass(frozen=True)
class Failure:
    """Why a test did not pass.

    `exception_type` is qualified (`django.core.exceptions.FieldError`, `AssertionError`);
    `frame` is the deepest frame that lies in the project's own non-test code, else in its tests,
    None where no frame lies in the tree.
    """

    exception_type: str
    message: str
    frame: Frame | None = None


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
        if self.ending is ExitReason.TIMEOUT:
            return Status.TIMEOUT
        return Status.MISSING if self.ending is ExitReason.EXITED else Status.CRASHED
