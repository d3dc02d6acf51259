"""What a fix is judged by, and what a rule says of it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator.admission import Strength
from evaluator.judge import Judgement
from evaluator.languages.safeguards import Concern
from evaluator.model import Revision, Transition
from evaluator.regressions.results import NOT_RUN, Regressions


class TrialOutcome(enum.StrEnum):
    """What a test does when its expected values are replaced."""

    NOTICED = "noticed"
    """Every assertion that could be tried fails with each of the other values."""
    HELD = "held"
    """Some assertion holds with another value, or the test passes whatever happens."""
    UNLIKE = "unlike"
    """Objects that the test finds equal have different hashes."""
    NOTHING = "nothing"
    """The test reaches no assertion that could be tried."""
    UNFINISHED = "unfinished"
    """The test did not end with other values in many times the seconds that it takes."""
    UNTRIED = "untried"
    """The test could not be run with other values, or ended otherwise than it does."""


@dataclass(frozen=True)
class Sensitivity:
    """How one test reacts. `assertions` is how many were tried, `place` the line that says so."""

    test: str
    file: str
    reaction: TrialOutcome
    assertions: int = 0
    place: str = ""


@dataclass(frozen=True)
class Reactions:
    """How the tests of a judgement react that fail without the change and pass with it."""

    judgement: Judgement
    tests: tuple[Sensitivity, ...]


class PartState(enum.StrEnum):
    """What the tests say of a part of the change."""

    TESTED = "tested"
    """Some test fails where this part alone is taken back, or made another."""
    UNTESTED = "untested"
    """No test notices that, or none executes it."""
    INSEPARABLE = "inseparable"
    """Nothing can be loaded without it, which says nothing of the tests."""
    NOT_TRIED = "not tried"
    """There was no time left."""


class PartKind(enum.StrEnum):
    """What is done to a part of the change."""

    HUNK = "hunk"
    """It is taken back: the base's lines are in its place."""
    DETAIL = "detail"
    """A constant or a comparison in an added line is another."""


@dataclass(frozen=True)
class PartResult:
    """A part of the change, and the tests that notice when it is missing.

    `first` and `last` are lines of the changed file, counted from 1; `last` is below `first` where
    the part only removes lines, and both are 0 for a whole file. `what` describes a detail.
    """

    path: str
    first: int
    last: int
    kind: PartKind
    state: PartState
    tests: tuple[str, ...] = ()
    what: str = ""


@dataclass(frozen=True)
class UnmendedExample:
    """A test that shows the same bug with another example, with the change just as without it.

    `example` says in words what is another in it.
    """

    test: str
    example: str


class Decision(enum.StrEnum):
    """What is said of a fix."""

    ACCEPT = "accept"
    REJECT = "reject"
    ABSTAIN = "abstain"


@dataclass(frozen=True)
class Finding:
    """What one rule says: its name, the decision it pleads for, and why, in words.

    `tests` are the names of those that it speaks of, if any. `remedy` is what to do about it, where
    the reason says so.
    """

    rule: str
    decision: Decision
    reason: str
    tests: tuple[str, ...] = ()
    remedy: str = ""


@dataclass(frozen=True)
class Generated:
    """Tests that somebody generated for an issue, and what they showed of the change.

    Generated tests may be wrong. `strength` is how well their failures without the change fit the
    issue; tests by the same `writer` share its errors, and have one vote between them. Those that
    only say what must not be (`only_negative`) are satisfied by any other behaviour, a wrong one
    too.
    `frozen` ones were kept for the issue: each of them must reproduce it, and pass with the change.
    """

    judgement: Judgement
    strength: Strength
    writer: str
    issue: str = ""
    only_negative: bool = False
    frozen: bool = False


@dataclass(frozen=True)
class Evidence:
    """What a fix is judged by.

    `given` are judgements of tests that come from elsewhere and are believed (a maintainer's),
    `generated` those of tests that may be wrong, `own` that of the tests that the change brings
    along. `configuration` names the changed files that steer how tests are run, `edited_data` those
    with data that given tests read, `uninstalled` those that ask for packages which the tests did
    without, `unreadable` those that hide what they do, `beyond` what it changes that is no file, so
    that nothing was run, `evasions` what the changed code reaches for that no fix needs,
    `special_cases` the values of tests or issue that it asks for,
    `refused_calls` what callers of public functions and classes can no longer do, and
    `unseen_effects` what code does beside its results that it did not before. `reactions`
    say how the tests react when their expected values are replaced; without any, that was not
    tried. `parts` are hunks and details of the change with the tests that notice when they are
    taken back, if that was tried. `unmended` are other examples of the same kind that the change
    leaves as they were. `witnesses` is how many writers of generated tests for an issue must find
    it fixed.

    `loading` are the changed lines, with their sides and paths, that run when their file is loaded.
    `elsewhere` are tests that start other processes, in which no line is counted; they are looked
    for where no reproducing test is seen to execute the change.
    `unloaded` maps tests, or whole files of them, that could be loaded on neither side to what
    they lack and the environment could have, "" where that is not known. `empty_submodules` are
    the paths of those that the clone lacks.

    `issue` says whether the report is known that the change answers, `symptoms` how well the
    failures of tests without the change fit it. `missing` maps tests that fail without the change
    only because something does not exist yet to what that is. `unmet` names existing tests that
    pass without the change and, as they stood there, do not with it; `dependent` are tests that
    end otherwise when they run alone. `regressions` is what the existing tests show that the
    change can affect.
    """

    given: tuple[Judgement, ...] = ()
    generated: tuple[Generated, ...] = ()
    own: Judgement | None = None
    configuration: tuple[Concern, ...] = ()
    edited_data: tuple[Concern, ...] = ()
    uninstalled: tuple[Concern, ...] = ()
    unreadable: tuple[Concern, ...] = ()
    beyond: tuple[Concern, ...] = ()
    evasions: tuple[Concern, ...] = ()
    special_cases: tuple[Concern, ...] = ()
    refused_calls: tuple[Concern, ...] = ()
    unseen_effects: tuple[Concern, ...] = ()
    reactions: tuple[Reactions, ...] = ()
    parts: tuple[PartResult, ...] = ()
    unmended: tuple[UnmendedExample, ...] = ()
    witnesses: int = 1
    issue: bool = False
    symptoms: Mapping[str, Strength] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    loading: frozenset[tuple[Revision, str, int]] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    unloaded: Mapping[str, str] = field(default_factory=dict)
    empty_submodules: tuple[str, ...] = ()
    unmet: tuple[Transition, ...] = ()
    dependent: tuple[Transition, ...] = ()
    regressions: Regressions = NOT_RUN

    @property
    def trusted(self) -> tuple[Judgement, ...]:
        """The judgements of tests that people stand for: the given ones and the change's own."""
        return self.given if self.own is None else (*self.given, self.own)

    @property
    def reported(self) -> frozenset[str]:
        """The tests that fail without the change as the issue reports."""
        return frozenset(t for t, fits in self.symptoms.items() if fits >= Strength.FAIR)

    @property
    def frozen(self) -> tuple[Judgement, ...]:
        """The judgements of tests that were there before the change: the given and kept ones."""
        return (*self.given, *(tests.judgement for tests in self.generated if tests.frozen))

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All judgements."""
        return (*(tests.judgement for tests in self.generated), *self.trusted)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions of all tests."""
        return tuple(t for judgement in self.judgements for t in judgement.transitions)

    @property
    def believed(self) -> tuple[Transition, ...]:
        """The transitions of the given tests, but for tests that failed before they were given."""
        return tuple(t for j in self.given for t in j.transitions if not t.preexisting)

    @property
    def reproducing(self) -> tuple[Transition, ...]:
        """The stable tests that fail without the fix and pass with it."""
        return tuple(t for t in self.transitions if reproduces(t))


def reproduces(transition: Transition) -> bool:
    """Whether a stable test, once begun, fails without the fix and passes with it."""
    return transition.kind == "F->P" and not transition.flaky and transition.before.begun
