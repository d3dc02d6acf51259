"""Methods that let a model work in a shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluator import Refusal, Shell
from evaluator.diff import Changes, unified_diff
from generator.loop import LONGEST_REPLY, Ended, Gate, Loop, LoopSettings, no_gate, shell_rules
from generator.method import Choice, Considered, MethodContext, last_admitted
from generator.methods.conversation import SAMPLING
from generator.methods.first_look import broken_tests, nearest_tests, short_files
from generator.model.protocol import Message, Parameters
from generator.prompts import render
from generator.task import Candidate

MOST_NEAREST = 3
"""Test files that the first message names."""


class ShellMethod:
    """A method in which a model writes tests in a shell, by the prompt of the method's name."""

    name: str
    needs_model = True
    replay_only = False
    steps: int
    """Replies of a conversation, unless the user sets the rounds."""
    insisting = True
    """Whether the model may submit what the gate refused."""
    looks_first = False
    """Whether the first message says how the nearest tests end, and shows short files."""

    def gate(self, work: MethodContext) -> Gate:
        """What is looked at before a submission is taken."""
        raise NotImplementedError

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The tests in the tree at the end of a conversation, once for each sample."""
        for sample in range(work.settings.samples or 1):
            ended = self._conversation(work, sample)
            yield self._candidate(work, ended)
            ended.raise_error()

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)

    def _conversation(self, work: MethodContext, sample: int) -> Ended:
        settings = LoopSettings(
            steps=work.settings.rounds or self.steps,
            command_seconds=work.settings.command_seconds,
            insisting=self.insisting,
            parameters=Parameters(SAMPLING if sample else 0.0, LONGEST_REPLY, sample),
        )
        with work.runner.shell(repository=True) as shell:
            messages = self._messages(work, shell, settings)
            return Loop(work, shell, messages, settings, self.gate(work)).run()

    def _messages(
        self, work: MethodContext, shell: Shell, settings: LoopSettings
    ) -> tuple[Message, ...]:
        nearest = nearest_tests(work, MOST_NEAREST)
        anchor = nearest[0] if nearest else ""
        task = render(
            self.name.replace("-", "_"),
            issue=work.task.issue,
            given_patch=work.settings.given_patch,
            anchor=anchor,
            nearest=nearest,
            language=work.language,
            broken=broken_tests(work, anchor) if self.looks_first and anchor else "",
            files=short_files(work, nearest) if self.looks_first else [],
            command=shell.test_command((anchor or work.language.new_test_file,)),
            steps=settings.steps,
        )
        return (shell_rules(work, shell, settings), Message("user", task))

    def _candidate(self, work: MethodContext, ended: Ended) -> Candidate:
        tests = work.finished(ended.submission.changes)
        return Candidate(
            tests=tests,
            origin=self.name,
            note=f"{ended.exit} after {ended.steps} replies",
            raw=unified_diff(tests, work.task.subject.source),
            problem="; ".join(ended.submission.left_out),
        )


def admission_gate(work: MethodContext) -> Gate:
    """Lets through what is admitted."""

    def refusal(tests: Changes) -> str:
        admission = work.admit(work.finished(tests))
        return "" if admission.admitted else admission.reason

    return refusal


def failing_gate(work: MethodContext) -> Gate:
    """Lets through whatever fails, for what reason ever."""
    nothing = (Refusal.NO_TEST, Refusal.PASSES)

    def refusal(tests: Changes) -> str:
        admission = work.admit(work.finished(tests))
        return f"the test {admission.reason}" if admission.refusal in nothing else ""

    return refusal


class Agent(ShellMethod):
    """One free agent: bash in the sandbox, a good engineer's steps, and nothing in its way.

    What it submits is run as it will be judged; where that is not admitted, the agent is shown why
    and may put it right or insist.
    """

    name = "agent"
    steps = 50
    looks_first = True

    def gate(self, work: MethodContext) -> Gate:
        """Only tests that are admitted are taken at once."""
        return admission_gate(work)


class SweAgent(ShellMethod):
    """A shell loop of 20 calls (SWE-agent in SWT-Bench, section 4.2).

    Nobody looks at the tests before they are submitted.
    """

    name = "swe-agent"
    steps = 20

    def gate(self, work: MethodContext) -> Gate:  # noqa: ARG002 - nothing is looked at
        """Every submission is taken as it is."""
        return no_gate


class SweAgentPlus(ShellMethod):
    """A shell loop of 20 calls whose tests must be seen to fail (SWE-agent+, section 4.2).

    The prompt asks for it, and a submission of tests that pass is refused.
    """

    name = "swe-agent-plus"
    steps = 20
    insisting = False

    def gate(self, work: MethodContext) -> Gate:
        """Some test has to fail."""
        return failing_gate(work)
