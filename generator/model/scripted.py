"""A model that plays a script, for tests and demonstrations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import yaml

from evaluator import InputError
from generator.errors import ModelRefusedError
from generator.model.protocol import Message, Parameters, Reply, Tool, ToolCall, estimated_usage

Line = str | Message | Reply
"""What a script says: a text, a message (with tool calls, perhaps), or a whole reply."""

_identities = itertools.count(1)

Answering = Callable[[Sequence[Message], Parameters, Sequence[Tool]], Line]


class ScriptedModel:
    """Says the lines of a script in their order, or what a function answers.

    A script may also map texts to lists of lines: a question with such a text in its messages
    gets the next line of that list, so that several tasks can be played side by side. Raises
    ModelRefusedError when there is nothing left to say.
    """

    def __init__(
        self,
        script: Sequence[Line] | Mapping[str, Sequence[Line]] | Answering,
        *,
        name: str = "scripted",
        calls_tools: bool = False,
    ) -> None:
        self.name = name
        self.calls_tools = calls_tools
        self._answer = script if callable(script) else _Script(script).next_line

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """The next line as a reply, with tokens by the length of the text."""
        line = self._answer(messages, parameters, tools)
        if isinstance(line, Reply):
            return line
        message = Message("assistant", line) if isinstance(line, str) else line
        reason = "tool_calls" if message.tool_calls else "stop"
        return Reply(message, estimated_usage(messages, message), reason)


class _Script:
    def __init__(self, script: Sequence[Line] | Mapping[str, Sequence[Line]]) -> None:
        parts = script if isinstance(script, Mapping) else {"": script}
        self._lines = {text: list(lines) for text, lines in parts.items()}
        self._said = dict.fromkeys(parts, 0)
        self._lock = Lock()

    def next_line(
        self, messages: Sequence[Message], _parameters: Parameters, _tools: Sequence[Tool]
    ) -> Line:
        part = self._part("\n".join(message.content for message in messages))
        with self._lock:
            number = self._said[part]
            self._said[part] += 1
        if number >= len(self._lines[part]):
            raise ModelRefusedError(f"the script has no reply number {number + 1}{_of(part)}")
        return self._lines[part][number]

    def _part(self, asked: str) -> str:
        for text in self._lines:
            if text in asked:
                return text
        raise ModelRefusedError("the script has nothing to say to these messages")


def _of(part: str) -> str:
    return f" to {part!r}" if part else ""


def scripted_from(path: Path) -> ScriptedModel:
    """The model that a YAML or JSON file plays.

    The file holds a list of lines, or maps texts to such lists. A line is a text, or an object
    with `content` and `tool_calls`, each of them with `name` and `arguments` (a text: the JSON as
    the model would write it). Raises InputError naming the place.
    """
    try:
        script = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise InputError(f"{path}: is no YAML: {error}") from error
    parts = script if isinstance(script, dict) else {"": script}
    lines = {str(text): _lines(f"{path}, {text!r}", part) for text, part in parts.items()}
    calls = any(isinstance(line, Message) for part in lines.values() for line in part)
    return ScriptedModel(lines, name=f"scripted:{path.name}", calls_tools=calls)


def _lines(place: str, part: object) -> list[Line]:
    if not isinstance(part, list):
        raise InputError(f"{place}: a list of replies was expected")
    return [_line(f"{place}, reply {number}", line) for number, line in enumerate(part, 1)]


def _line(place: str, line: object) -> Line:
    if isinstance(line, str):
        return line
    if not isinstance(line, dict) or not isinstance(line.get("tool_calls", []), list):
        raise InputError(f"{place}: a text, or an object with content and tool_calls was expected")
    calls = [_call(place, call) for call in line.get("tool_calls", [])]
    return Message("assistant", str(line.get("content", "")), tuple(calls))


def _call(place: str, call: Any) -> ToolCall:
    if not isinstance(call, dict) or not isinstance(call.get("arguments"), str):
        raise InputError(f"{place}: a tool call has a name and arguments (a text of JSON)")
    return ToolCall(f"call_{next(_identities)}", str(call.get("name", "")), call["arguments"])
