"""What a method is: a way from an issue to candidate tests."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from evaluator import Admission, admit, files_to_run
from evaluator.diff import Changes
from generator.errors import ModelError
from generator.languages import Language, language_of
from generator.model.protocol import Message, Model, Parameters, Reply, Tool
from generator.retrieval import Retrieval
from generator.rules import RuleSettings
from generator.task import Candidate, Task, TestRunner
from generator.trajectory import Trajectory

COMMAND_SECONDS = 60.0


@dataclass(frozen=True)
class MethodSettings:
    """What a user sets. `samples` and `rounds` of 0 mean the method's own default.

    `given_patch` is a code patch to be shown in the prompt (table 5 of SWT-Bench), "" for none, and
    `given_patch_name` what it is called in results. `names_test_file` lets prompts name the test
    file that retrieval would extend. `command_seconds` is how long a command in a shell may take.
    `golden_patch` is the true fix, known in replay only; it is there for the oracle of `pass-at-k`
    and must never reach a prompt. `rules` are those by which tests are written from the issue's
    text alone.
    """

    samples: int = 0
    rounds: int = 0
    given_patch: str = ""
    given_patch_name: str = ""
    names_test_file: bool = True
    golden_patch: str = ""
    command_seconds: float = COMMAND_SECONDS
    rules: RuleSettings = field(default_factory=RuleSettings)


@dataclass(frozen=True)
class MethodContext:
    """Everything a method works with on one task."""

    task: Task
    runner: TestRunner
    settings: MethodSettings
    trajectory: Trajectory
    model: Model | None = None

    @functools.cached_property
    def retrieval(self) -> Retrieval:
        """What can be looked up for the task without a model; the index is made when first used."""
        return Retrieval(self.task, self.runner.cache)

    def ask(
        self,
        messages: Sequence[Message],
        parameters: Parameters | None = None,
        tools: Sequence[Tool] = (),
    ) -> Reply:
        """Ask the model; limits, accounts and the trajectory are kept behind it."""
        if self.model is None:
            raise ModelError("this method needs a model: name one with --model")
        return self.model.reply(messages, parameters or Parameters(), tools)

    @property
    def language(self) -> Language:
        """That of the repository's tests."""
        return language_of(self.task.subject)

    def finished(self, tests: Changes) -> Changes:
        """The tests as they will be considered, formatted as their repository formats."""
        return self.language.formatted(tests, self.task.subject.source)

    def admit(self, tests: Changes) -> Admission:
        """Whether tests are admitted on the base commit, and why (not). Raises SandboxError."""
        source = self.task.subject.source
        standing = tuple(path for path in files_to_run(tests) if source(path) is not None)
        return admit(
            lambda number: self.runner.run_tests(tests, attempt=number),
            self.task.issue,
            standing=self.runner.run_standing(standing) if standing else None,
            tests=tests,
        )


@dataclass(frozen=True)
class Considered:
    """A candidate with what admission said of it."""

    candidate: Candidate
    admission: Admission


@dataclass(frozen=True)
class Choice:
    """The candidate that a method settles on. `confidence` is from 0 to 1, `reason` is in words."""

    considered: Considered
    reason: str
    confidence: float


class Method(Protocol):
    """One way of writing tests. Its docstring's first line is what listings show."""

    name: str
    needs_model: bool
    replay_only: bool

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """Propose candidates, best guess last or first as `choose` likes; each is kept at once.

        What was yielded stays when a limit ends the rest.
        """
        ...

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """Settle on one; None abstains, for the reasons that stand in `considered`."""
        ...


SINGLE_WRITER = 0.36
"""How often a submitted test is right that no second writer agrees with (SWT-Bench predictions)."""


def last_admitted(
    considered: Sequence[Considered], confidence: float = SINGLE_WRITER
) -> Choice | None:
    """The last candidate that was admitted: for methods that get better as they go."""
    admitted = [one for one in considered if one.admission.admitted]
    if not admitted:
        return None
    return Choice(admitted[-1], "the last proposal that was admitted", confidence)
