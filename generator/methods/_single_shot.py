"""What the methods share that ask once for a patch, by the prompt of their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.candidate import Candidate
from generator.choosing import last_admitted
from generator.method import Choice, Considered, Work
from generator.methods._asking import Conversation, patch_candidate, report_of, sampling
from generator.methods._context import code_of
from generator.prompts import render


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

    def candidates(self, work: Work) -> Iterator[Candidate]:
        """The tests of each answer, in the order in which they were sampled."""
        question = render(self.prompt, code=code_of(work, self.context_tokens), **report_of(work))
        for parameters in sampling(work, self.samples):
            conversation = Conversation(work, parameters)
            reply = conversation.ask(question)
            note = f"sample {parameters.sample + 1} at temperature {parameters.temperature:g}"
            yield conversation.told(patch_candidate(work, reply, self.name, note))

    def choose(self, work: Work, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)
