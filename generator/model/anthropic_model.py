"""Anthropic's models through Anthropic's own package: `pip install 'fixgate[anthropic]'`.

https://docs.anthropic.com/en/api/messages and, for the events of a stream,
https://docs.anthropic.com/en/docs/build-with-claude/streaming
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator import extra_needed
from generator.model.protocol import (
    JsonObject,
    Message,
    Parameters,
    Reply,
    TokenUsage,
    Tool,
    ToolCall,
    encodable,
)
from generator.model.streamed import CONNECT_SECONDS, NO_KEY, Stream, StreamedModel

_FINISH_REASONS = {"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


def _without(parameter: str) -> Callable[[JsonObject], object]:
    """Takes a parameter of sampling out of a request, whose other parts may be shared."""

    def put(request: JsonObject) -> None:
        kept = {name: value for name, value in request["extra_body"].items() if name != parameter}
        request["extra_body"] = kept

    return put


class AnthropicModel(StreamedModel):
    """A model that is asked by the `anthropic` package.

    What was said before is remembered by the endpoint, so that long conversations stay cheap.
    """

    other_words = {  # noqa: RUF012 - never written to
        "top_p": _without("top_p"),
        "top_k": _without("top_k"),
        "temperature": _without("temperature"),
        "cache_control": lambda request: request.pop("cache_control"),
    }

    def package(self) -> Any:
        """The `anthropic` package; raises ExtraMissingError where it is not installed."""
        instead = "name the model without it and give --base-url https://api.anthropic.com/v1"
        with extra_needed("anthropic", "a model named `anthropic:...`", instead):
            import anthropic
        return anthropic

    def connection_errors(self) -> tuple[type[Exception], ...]:
        """The package's own, and those of HTTP, which it lets through in mid-stream."""
        import httpx2

        return (*super().connection_errors(), httpx2.RequestError)

    def make_create(self) -> Callable[..., Stream[Any]]:
        """`messages.create` for the endpoint's address and key."""
        anthropic, key = self.package(), self.endpoint.key
        client = anthropic.Anthropic(
            api_key=key.reveal() if key else NO_KEY,
            base_url=self.endpoint.base_url,
            timeout=anthropic.Timeout(self.retry_policy.stall_seconds, connect=CONNECT_SECONDS),
            max_retries=0,
            http_client=self.http_client(),
        )
        create: Callable[..., Stream[Any]] = client.messages.create
        return create

    def request(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> JsonObject:
        """The arguments of `messages.create`."""
        system = "\n\n".join(m.content for m in messages if m.role == "system")
        request: JsonObject = {
            "model": self.name,
            "messages": _turns(m for m in messages if m.role != "system"),
            "max_tokens": parameters.max_tokens,
            # the package has no arguments for these any more, and older models still need them
            "extra_body": _sampling(parameters),
            "cache_control": {"type": "ephemeral"},
            "stream": True,
        }
        if system:
            request["system"] = encodable(system)
        if tools:
            request["tools"] = [_tool_json(tool) for tool in tools]
        return request

    def parts(self) -> EventParts:
        """For the events of a message."""
        return EventParts()


def _sampling(parameters: Parameters) -> JsonObject:
    stated = {
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "top_k": parameters.top_k,
    }
    return {name: value for name, value in stated.items() if value is not None}


def _tool_json(tool: Tool) -> JsonObject:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.parameters),
    }


def _turns(messages: Iterable[Message]) -> list[JsonObject]:
    """Messages by turns: results of tools are the user's, and neighbours of a role are one turn."""
    sides = itertools.groupby(messages, lambda m: "assistant" if m.role == "assistant" else "user")
    return [
        {"role": role, "content": [block for message in group for block in _blocks(message)]}
        for role, group in sides
    ]


def _blocks(message: Message) -> list[JsonObject]:
    text = encodable(message.content)
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": text}]
    said = [{"type": "text", "text": text}] if text.strip() else []
    return said + [_call_block(call) for call in message.tool_calls]


def _call_block(call: ToolCall) -> JsonObject:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}


def _input(arguments: str) -> JsonObject:
    """The arguments as the object that the protocol wants, whatever the model wrote."""
    try:
        value = json.loads(arguments or "{}")
    except ValueError:
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}


@dataclass
class _Block:
    kind: str
    id: str = ""
    name: str = ""
    text: str = ""


class EventParts:
    """Puts the events of one streamed message together.

    The package's own accumulator reads the arguments of calls as JSON on the way, and fails where
    a model wrote something else or was cut off; the model is to see its own text then.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._counts: dict[str, int] = {}
        self._stop_reason = ""
        self.complete = False

    def add(self, chunk: Any) -> None:
        """Take in one event; kinds that are not known are passed over."""
        match chunk.type:
            case "message_start":
                self._count(chunk.message.usage)
            case "content_block_start":
                block = chunk.content_block
                name, identity = getattr(block, "name", ""), getattr(block, "id", "")
                self._blocks[chunk.index] = _Block(block.type, identity, name)
                self._blocks[chunk.index].text += getattr(block, "text", "")
            case "content_block_delta":
                self._blocks[chunk.index].text += _delta(chunk.delta)
            case "message_delta":
                self._stop_reason = chunk.delta.stop_reason or self._stop_reason
                self._count(chunk.usage)
            case "message_stop":
                self.complete = bool(self._stop_reason)

    def reply(self, _asked: Sequence[Message]) -> Reply:
        """The whole reply; thoughts that the model showed are left out."""
        text = "".join(b.text for b in self._blocks.values() if b.kind == "text")
        calls = tuple(
            ToolCall(b.id, b.name, encodable(b.text or "{}"))
            for b in self._blocks.values()
            if b.kind == "tool_use"
        )
        reason = _FINISH_REASONS.get(self._stop_reason, self._stop_reason)
        return Reply(Message("assistant", encodable(text), calls), self._usage(), reason)

    def _count(self, usage: Any) -> None:
        """Note the counts; those of later events stand for the whole message so far."""
        for name in _COUNTS:
            if (count := getattr(usage, name, None)) is not None:
                self._counts[name] = count

    def _usage(self) -> TokenUsage:
        plain, cached, written, output = (self._counts.get(name, 0) for name in _COUNTS)
        return TokenUsage(plain + cached + written, output, cached, written)


_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


def _delta(delta: Any) -> str:
    match delta.type:
        case "text_delta":
            return str(delta.text)
        case "input_json_delta":
            return str(delta.partial_json)
    return ""
