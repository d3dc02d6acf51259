"""What an evaluation found of each test and method, as it is kept on disk and published."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.environment.types import Uncompiled

FORMAT = 3
"""Of the results of methods: another number where what they hold means something else."""


@dataclass(frozen=True)
class TestResult:
    """One test of a reply.

    `reason` says why it came no further than its fate, "" for a correct one; `steps` what
    post-processing did. `lines` are those of the MUT that it executed; `calls_overload` says that
    it passed and executed an overload of the MUT in its place. `flaky` is a test whose reruns did
    not all end alike. Similarities, between 0 and 1, are to the human tests of the MUT.
    """

    __test__ = False

    method: str
    model: str
    reply: int
    name: str
    source: str
    fate: Fate
    reason: str
    steps: tuple[str, ...] = ()
    seconds: float = 0.0
    lines: tuple[int, ...] = ()
    calls_overload: bool = False
    flaky: bool = False
    bleu: float | None = None
    crystal_bleu: float | None = None


@dataclass(frozen=True)
class MutantResult:
    """A mutant of a MUT: its line, PIT's name of the operator, and whether a test killed it."""

    line: int
    operator: str
    killed: bool


@dataclass(frozen=True)
class Mutants:
    """Mutants of a MUT: all of them, and those that its tests killed."""

    killed: int
    all: int
    each: tuple[MutantResult, ...] = ()


@dataclass(frozen=True)
class MethodResult:
    """One MUT: its tests, and its lines and branches as (covered, all).

    They are None where the compiled class has no such code, or the repository could not be
    evaluated, for which `error` gives the reason. What all tests that ran with them cover, those
    of other methods included, stands in `lines_by_all` and `branches_by_all`. `left_out` is what
    the repository is built without, where the MUT or its tests stand in it: no test of it can run.
    """

    repository: str
    method: str
    tests: tuple[TestResult, ...]
    lines: tuple[int, int] | None = None
    branches: tuple[int, int] | None = None
    lines_by_all: tuple[int, int] | None = None
    branches_by_all: tuple[int, int] | None = None
    mutants: Mutants | None = None
    error: str = ""
    left_out: Uncompiled | None = None

    @property
    def is_final(self) -> bool:
        """Whether the same inputs would give the same again."""
        return not self.error
