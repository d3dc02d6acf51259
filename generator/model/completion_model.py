"""Models that continue a text, as those that were not trained to converse are served.

https://platform.openai.com/docs/api-reference/completions, which vLLM, llama.cpp and others have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaluator import InputError
from generator.model.chat import ReplyParts
from generator.model.openai_model import OpenAIModel
from generator.model.protocol import JsonObject, Message, Parameters, Tool, encodable
from generator.model.streamed import Stream


class CompletionModel(OpenAIModel):
    """A model that is asked by `completions` of the `openai` package: one message is continued."""

    def make_create(self) -> Callable[..., Stream[Any]]:
        """`completions.create` for the endpoint's address and key."""
        create: Callable[..., Stream[Any]] = self._made_client().completions.create
        return create

    def request(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> JsonObject:
        """The arguments of `completions.create`. Raises InputError for a whole conversation."""
        if len(messages) != 1 or tools:
            raise InputError(f"{self.name} continues one text, and can hold no conversation")
        request = super().request(messages, parameters, tools)
        del request["messages"]
        return {**request, "prompt": encodable(messages[0].content)}

    def parts(self) -> ReplyParts:
        """For chunks of a continuation."""
        return ContinuationParts()


class ContinuationParts(ReplyParts):
    """Puts the chunks of one streamed continuation together."""

    def _add_choice(self, choice: Any) -> None:
        self._add_text(choice.text)
