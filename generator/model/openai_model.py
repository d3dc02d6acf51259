"""Any model behind the protocol of OpenAI: vendors, brokers and servers on the own machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from generator.model.chat import ReplyParts, message_json, tool_json
from generator.model.protocol import JsonObject, Message, Parameters, Tool
from generator.model.streamed import CONNECT_SECONDS, NO_KEY, Parts, Stream, StreamedModel


def _rename_max_tokens(request: JsonObject) -> None:
    """Models that reason count hidden tokens too, and have another name for the bound."""
    request["max_completion_tokens"] = request.pop("max_tokens")


class OpenAIModel(StreamedModel):
    """A model that is asked by the `openai` package."""

    other_words = {  # noqa: RUF012 - never written to
        "max_tokens": _rename_max_tokens,
        "temperature": lambda request: request.pop("temperature"),
        "stream_options": lambda request: request.pop("stream_options"),
        "top_p": lambda request: request.pop("top_p", None),
        "top_k": lambda request: request.pop("extra_body", None),
    }

    def package(self) -> Any:
        """The `openai` package."""
        import openai

        return openai

    def make_create(self) -> Callable[..., Stream[Any]]:
        """`chat.completions.create` for the endpoint's address and key."""
        create: Callable[..., Stream[Any]] = self._made_client().chat.completions.create
        return create

    def served(self) -> tuple[str, ...]:
        """The names of the models that the endpoint says it has; raises as `reply` does."""
        client = self._made_client()
        with self.our_errors():
            return tuple(str(model.id) for model in client.models.list().data)

    def _made_client(self) -> Any:
        openai, key = self.package(), self.endpoint.key
        return openai.OpenAI(
            api_key=key.reveal() if key else NO_KEY,
            base_url=self.endpoint.base_url,
            timeout=openai.Timeout(self.retry_policy.stall_seconds, connect=CONNECT_SECONDS),
            max_retries=0,
            http_client=self.http_client(),
        )

    def request(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> JsonObject:
        """The arguments of `chat.completions.create`."""
        request: JsonObject = {
            "model": self.name,
            "messages": [message_json(message) for message in messages],
            "max_tokens": parameters.max_tokens,
            "temperature": parameters.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if parameters.top_p is not None:
            request["top_p"] = parameters.top_p
        if parameters.top_k is not None:  # of vLLM, llama.cpp and others; not of the protocol
            request["extra_body"] = {"top_k": parameters.top_k}
        if tools:
            request["tools"] = [tool_json(tool) for tool in tools]
        return request

    def parts(self) -> ReplyParts:
        """For chunks of a completion."""
        return ReplyParts()

    def unstreamed(self, request: JsonObject) -> Parts:
        """Ask for one piece.

        Some gateways cannot stream. Some servers (llama-cpp-python is one) break a stream off
        without a word where they would say what is wrong otherwise.
        """
        return self.whole({k: v for k, v in request.items() if not k.startswith("stream")})
