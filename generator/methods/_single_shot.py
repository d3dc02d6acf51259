"""What the methods share that ask once for a patch, by the prompt of their format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.candidate import Candidate
from generator.method import Work
from generator.methods._asking import Conversation, patch_candidate, sampling
from generator.methods._context import anchor_of, code_of
from generator.prompts import render

CONTEXT_TOKENS = 27_000
"""Tokens of code in a prompt, as retrieved by BM25 (SWT-Bench, section 5.1)."""


@dataclass(frozen=True)
class SingleShot:
    """Asks for a patch by a prompt, once for each sample. `samples` is the default number."""

    prompt: str
    origin: str
    samples: int = 1
    context_tokens: int = CONTEXT_TOKENS

    def candidates(self, work: Work) -> Iterator[Candidate]:
        """The tests of each reply, in the order in which they were sampled."""
        prompt = self._rendered(work)
        for parameters in sampling(work, self.samples):
            conversation = Conversation(work, parameters)
            reply = conversation.ask(prompt)
            note = f"sample {parameters.sample + 1} at temperature {parameters.temperature:g}"
            yield conversation.told(patch_candidate(work, reply, self.origin, note))

    def _rendered(self, work: Work) -> str:
        return render(
            self.prompt,
            issue=work.task.issue,
            given_patch=work.settings.given_patch,
            code=code_of(work, self.context_tokens),
            anchor=anchor_of(work),
        )
