"""The chat protocol of OpenAI: messages and tools as its JSON, streamed chunks as one reply.

https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generator.model.protocol import (
    JsonObject,
    Message,
    Reply,
    TokenUsage,
    Tool,
    ToolCall,
    encodable,
    estimated_usage,
)


def message_json(message: Message) -> JsonObject:
    """A message as the protocol has it."""
    document: JsonObject = {"role": message.role, "content": encodable(message.content)}
    if message.tool_calls:
        document["tool_calls"] = [_call_json(call) for call in message.tool_calls]
    if message.tool_call_id:
        document["tool_call_id"] = message.tool_call_id
    return document


def _call_json(call: ToolCall) -> JsonObject:
    function = {"name": call.name, "arguments": encodable(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def tool_json(tool: Tool) -> JsonObject:
    """A tool as the protocol has it."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        },
    }


@dataclass
class _PartialCall:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


class ReplyParts:
    """Puts the chunks of one streamed reply together.

    The package's own accumulator joins calls that a server numbers alike, forgets the usage when a
    chunk without any follows, and builds the whole message anew for each chunk.
    """

    def __init__(self) -> None:
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_PartialCall] = []
        self._finish_reason = ""
        self._usage: TokenUsage | None = None

    @property
    def complete(self) -> bool:
        """Whether the endpoint said that it was done, and why; without that it is half a reply."""
        return bool(self._finish_reason)

    def add(self, chunk: Any) -> None:
        """Take in one `chat.completion.chunk`, or a whole `chat.completion`.

        Raises AttributeError or TypeError where it is none: the package checks no shapes.
        """
        for choice in chunk.choices or ():
            self._finish_reason = choice.finish_reason or self._finish_reason
            self._add_choice(choice)
        if chunk.usage is not None:
            self._usage = _usage(chunk.usage)

    def reply(self, asked: Sequence[Message]) -> Reply:
        """The whole reply to the messages that were `asked`."""
        text = encodable("".join(self._content) or "".join(self._refusal))
        message = Message("assistant", text, tuple(self._tool_calls()))
        usage = self._usage or estimated_usage(asked, message)
        return Reply(message, usage, self._finish_reason)

    def _add_choice(self, choice: Any) -> None:
        delta = choice.message if hasattr(choice, "message") else choice.delta
        if delta is not None:
            self._add_delta(delta)

    def _add_text(self, text: object) -> None:
        self._content.append(_text(text))

    def _add_delta(self, delta: Any) -> None:
        self._add_text(delta.content)
        self._refusal.append(_text(delta.refusal))
        for number, part in enumerate(delta.tool_calls or ()):
            self._add_call(part, getattr(part, "index", number))

    def _add_call(self, part: Any, index: int) -> None:
        call = self._call(index, part.id or "")
        if part.function is not None:
            call.name += _text(part.function.name)
            call.arguments += _text(part.function.arguments)

    def _call(self, index: int, identity: str) -> _PartialCall:
        """The call that a part belongs to: some servers number all calls 0 and differ by the id."""
        for call in reversed(self._calls):
            if call.index == index and identity in ("", call.id):
                return call
        self._calls.append(_PartialCall(index, identity))
        return self._calls[-1]

    def _tool_calls(self) -> list[ToolCall]:
        return [
            ToolCall(call.id or f"call_{number}", call.name, encodable(call.arguments))
            for number, call in enumerate(self._calls)
        ]


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"text was expected, and {type(value).__name__} came")
    return value


def _usage(usage: Any) -> TokenUsage:
    details = usage.prompt_tokens_details
    cached = getattr(details, "cached_tokens", None) or 0
    return TokenUsage(usage.prompt_tokens or 0, usage.completion_tokens or 0, cached)
