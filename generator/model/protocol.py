"""What every model follows: messages in, one reply out, with what it used; and both as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from evaluator.storage import as_json, read_as

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class ToolCall:
    """A call that a model asks for. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One turn. A `tool` message answers the call named by `tool_call_id`."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True)
class Tool:
    """A function that a model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class Parameters:
    """How to sample. `sample` numbers replies that are to differ; caches keep them apart.

    `top_p` and `top_k` of None leave it to the endpoint from how many tokens it draws.
    """

    temperature: float = 0.0
    max_tokens: int = 4096
    sample: int = 0
    top_p: float | None = None
    top_k: int | None = None


@dataclass(frozen=True)
class TokenUsage:
    """Tokens that a reply took.

    `cached_tokens` are those of the input that the endpoint remembered and charges less for,
    `written_tokens` those that it was asked to remember and charges more for. `estimated` says
    that the endpoint did not count, and the figures are by the length of the text.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class Reply:
    """What a model answered. `finish_reason` is `stop`, `length`, `tool_calls` or the endpoint's.

    `cached` marks a reply that was kept from before and cost nothing now.
    """

    message: Message
    usage: TokenUsage = field(default_factory=TokenUsage)
    finish_reason: str = "stop"
    cached: bool = False


class Model(Protocol):
    """One model behind one endpoint. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """The name under which the endpoint knows it."""
        ...

    @property
    def calls_tools(self) -> bool:
        """Whether it takes tools; where not, methods use a plain text protocol."""
        ...

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask once. Raises ModelError, or LimitReachedError before a call that a limit forbids."""
        ...


JsonObject = dict[str, Any]


def request_json(
    model: str, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
) -> JsonObject:
    """Everything that a reply depends on; what is left to the endpoint is not named."""
    sampling = dataclasses.asdict(parameters)
    return {
        "model": model,
        "parameters": {name: value for name, value in sampling.items() if value is not None},
        "tools": [dataclasses.asdict(tool) for tool in tools],
        "messages": [as_json(message) for message in messages],
    }


def reply_json(reply: Reply) -> JsonObject:
    """A reply, without whether it was kept: that is a matter of who reads it."""
    document: JsonObject = as_json(reply)
    del document["cached"]
    return document


def reply_of(document: Mapping[str, Any]) -> Reply:
    """The reply that `reply_json` wrote, marked as kept.

    Raises UnreadableError, a ValueError, where it is none.
    """
    return read_as(Reply, {**document, "cached": True})


CHARACTERS_PER_TOKEN = 3.5
"""Of code and English with the tokenizers in use: a little below the usual 4, to guess high."""


def encodable(text: str) -> str:
    """The text with lone surrogates, which no request or file can carry, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def estimated_usage(messages: Sequence[Message], answer: Message) -> TokenUsage:
    """Tokens by the count of characters, for endpoints that do not count."""
    read = sum(_length(message) for message in messages)
    return TokenUsage(_tokens(read), _tokens(_length(answer)), estimated=True)


def _length(message: Message) -> int:
    return len(message.content) + sum(len(c.name) + len(c.arguments) for c in message.tool_calls)


def _tokens(characters: int) -> int:
    return round(characters / CHARACTERS_PER_TOKEN)
