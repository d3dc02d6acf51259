"""Methods that ask for a patch and take the answer as it is, once or as samples.

`libro` is as SWT-Bench (section 4.2) carries over LIBRO (https://arxiv.org/abs/2209.11515, section
III-D).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from evaluator import Strength, TestOutcome, files_to_run
from evaluator.diff import unified_diff
from generator.errors import ContextTooLongError
from generator.method import SINGLE_WRITER, Choice, Considered, MethodContext, last_admitted
from generator.methods.conversation import (
    Conversation,
    code_of,
    patch_candidate,
    report_of,
    sampling,
)
from generator.methods.oracle import golden, succeeds
from generator.prompts import render
from generator.task import Candidate

LEAST_CONTEXT_TOKENS = 1_500
"""Code with which it is still worth asking a model of a short context."""


class SingleShotMethod:
    """A method that asks one question for each sample and takes the patch of the answer.

    `prompt` names the template, `samples` is the number of samples unless the user sets it, and
    `context_tokens` bounds the code in the prompt, as retrieved (SWT-Bench, section 5.1).
    """

    name: str
    needs_model = True
    replay_only = False
    prompt: str
    samples = 1
    context_tokens = 27_000

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The tests of each answer, in the order in which they were sampled."""
        tokens = self.context_tokens
        for parameters in sampling(work, self.samples):
            conversation = Conversation(work, parameters)
            reply, tokens = self._asked(work, conversation, tokens)
            note = f"sample {parameters.sample + 1} at temperature {parameters.temperature:g}"
            yield conversation.noted(patch_candidate(work, reply, self.name, note))

    def _asked(
        self, work: MethodContext, conversation: Conversation, tokens: int
    ) -> tuple[str, int]:
        """The answer, with half as much code each time that the model cannot take so much."""
        while True:
            question = render(self.prompt, code=code_of(work, tokens), **report_of(work))
            try:
                return conversation.ask(question), tokens
            except ContextTooLongError:
                if tokens < 2 * LEAST_CONTEXT_TOKENS:
                    raise
                conversation.messages.clear()
                tokens //= 2

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)


class ZeroShot(SingleShotMethod):
    """Ask once, with retrieved code, for tests as a unified diff (SWT-Bench's ZeroShot).

    One answer at temperature 0; where the user wants several, they are sampled at 0.7.
    """

    name = "zeroshot"
    prompt = "zeroshot"


class ZeroShotPlus(SingleShotMethod):
    """Ask once, with retrieved code, for tests in the block format (SWT-Bench's ZeroShotPlus).

    One answer at temperature 0; where the user wants several, they are sampled at 0.7.
    """

    name = "zeroshotplus"
    prompt = "zeroshotplus"


AGREEING = 0.7
"""How often a submitted test is right that another writer agrees with (SWT-Bench predictions)."""

_VARYING = re.compile(r"0x[0-9a-fA-F]+|\d+")

Cluster = Sequence[Considered]


class Libro(SingleShotMethod):
    """Sample five times as zeroshotplus asks, run all, take the shortest of those that agree."""

    name = "libro"
    prompt = "zeroshotplus"
    samples = 5

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The shortest of the best cluster of admitted samples that fail in the same way.

        A cluster is better the more its failures fit what the issue reports, and then the larger
        it is.
        """
        clusters = _clusters([one for one in considered if one.admission.admitted])
        if not clusters:
            return None
        best = max(clusters, key=lambda cluster: (_strength(cluster), len(cluster)))
        shortest = min(best, key=lambda one: _length(work, one))
        agreed = len(best) > 1
        reason = f"{len(best)} of {len(considered)} samples fail in this way; the shortest of them"
        return Choice(shortest, reason, AGREEING if agreed else SINGLE_WRITER)


def _clusters(admitted: Sequence[Considered]) -> Sequence[Cluster]:
    found: defaultdict[frozenset[str], list[Considered]] = defaultdict(list)
    for one in admitted:
        found[frozenset(map(_signature, one.admission.failing))].append(one)
    return list(found.values())


def _signature(outcome: TestOutcome) -> str:
    """How a test failed, without what differs between runs and between tests alike."""
    failure = outcome.failure
    if failure is None:
        return outcome.status
    frame = failure.frame
    place = f"{frame.path}:{frame.function}" if frame and frame.path != outcome.file else ""
    message = _VARYING.sub("N", failure.message.partition("\n")[0])
    return f"{failure.exception_type} {message} {place}"


def _strength(cluster: Cluster) -> Strength:
    """How well the failures of a cluster fit what the issue reports."""
    return max(one.admission.strength for one in cluster)


def _length(work: MethodContext, one: Considered) -> int:
    return len(unified_diff(one.candidate.tests, work.task.subject.source))


class PassAtK(SingleShotMethod):
    """Sample five times as zeroshotplus asks, and let the true fix choose: an oracle."""

    name = "pass-at-k"
    replay_only = True
    prompt = "zeroshotplus"
    samples = 5

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The tests of each answer, at temperature 0.7. Raises InputError outside of replay."""
        golden(work, self.name, "libro")
        return super().candidates(work)

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The first one that fails without the golden patch and passes with it.

        Admission is not asked: the oracle knows better. Raises InputError outside of replay.
        """
        fix = golden(work, self.name, "libro")
        for number, one in enumerate(considered, start=1):
            if files_to_run(one.candidate.tests) and succeeds(work, one.candidate.tests, fix):
                return Choice(one, f"proposal {number} passes with the golden patch", 1.0)
        return None
