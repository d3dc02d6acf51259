"""What the methods share that ask once for a patch, by the prompt of their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.candidate import Candidate
from generator.conversations.conversation import (
    Conversation,
    code_of,
    patch_candidate,
    report_of,
    sampling,
)
from generator.errors import ContextTooLongError
from generator.method import Choice, Considered, MethodContext, last_admitted
from generator.prompts import render

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
