"""What is wrong with replies before they are handed in: they are compiled and run, not scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator import SandboxError, Workspace
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from evaluator.benchmarks.tests4j.evaluating import Evaluator
from evaluator.benchmarks.tests4j.focal import focal_lines
from evaluator.benchmarks.tests4j.outcomes import Replies
from evaluator.benchmarks.tests4j.predictions import MethodReplies
from evaluator.benchmarks.tests4j.preparing import prepare
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.environment.tools import ToolError

_FAULTLESS = (Fate.CORRECT, Fate.DUPLICATE, Fate.LEFT_OUT)
"""What no other reply would be better than, as far as can be seen."""


@dataclass(frozen=True)
class ReplyFault:
    """How far a reply came, and why no further."""

    fate: Fate
    reason: str


class ReplyChecker(Protocol):
    """Finds what is wrong with replies. Safe to call from several threads."""

    def faults(
        self, repository: RepositorySnapshot, method: FocalMethod, replies: Sequence[str]
    ) -> Mapping[int, ReplyFault]:
        """The faults of replies, by their numbers from 0; those without any are left out.

        Raises FixgateError where nothing can be compiled or run.
        """
        ...


@dataclass(frozen=True)
class EvaluatorChecker:
    """Checks replies as `fixgate tests4j evaluate` does, and passes on nothing of human tests."""

    workspace: Workspace

    def faults(
        self, repository: RepositorySnapshot, method: FocalMethod, replies: Sequence[str]
    ) -> Mapping[int, ReplyFault]:
        """The faults of replies; one that only repeats another has none of its own."""
        prediction = MethodReplies(method=method.id, model="", replies=list(replies))
        try:
            prepared = prepare(self.workspace, repository)
            lines = focal_lines(method, prepared.source(method.focal_path))
            evaluator = Evaluator(self.workspace, prepared, frozenset())
            results = evaluator.evaluate([Replies.of(method, lines, prediction)])
        except ToolError as error:
            raise SandboxError(f"the tests of {method.id} cannot be compiled: {error}") from error
        tests = results[method.id].tests
        faultless = {test.reply for test in tests if test.fate in _FAULTLESS}
        return {
            test.reply: ReplyFault(test.fate, test.reason)
            for test in tests
            if test.reply not in faultless
        }
