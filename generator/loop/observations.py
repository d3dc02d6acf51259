"""How results of commands are shown to a model."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence

from evaluator import MEBIBYTE, CommandResult, ExitReason, ResourceLimits
from generator.model.protocol import Message
from generator.prompts import render

MOST_CHARACTERS = 10_000
"""Characters of a command's output that are shown: the first and the last half of so many."""

Kept = Callable[[str], str]
"""Keeps a text in a file that the model can read, and returns its name."""

_SHORTENED_TO = 200
_NEWEST = 4

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")

_ENDINGS: Mapping[ExitReason, str] = {
    ExitReason.TIMEOUT: "ended by fixgate: a command may take {0.wall_seconds:g} seconds",
    ExitReason.CPU: "ended by fixgate: a command may use {0.cpu_seconds:g} seconds"
    " of processor time",
    ExitReason.MEMORY: "ended by fixgate: a command may use {1} MiB of memory",
    ExitReason.PROCESSES: "ended by fixgate: a command may start {0.processes} processes",
    ExitReason.DISK: "ended by fixgate: the tree has become too large; remove what was written",
    ExitReason.OUTPUT: "ended by fixgate: it printed too much",
}


def observation(completed: CommandResult, limits: ResourceLimits, whole: Kept) -> str:
    """The result of a command: how it ended, and what it printed, cut in the middle.

    What is cut is kept by `whole`, and the name of its file stands where it is missing.
    """
    output = cleaned(completed.output)
    place = whole(output) if len(output) > MOST_CHARACTERS else ""
    return render("result", ending=_ending(completed, limits), output=shown(output, place=place))


def cleaned(output: str) -> str:
    """Output without escape sequences, and with nothing that cannot be sent on."""
    plain = _ESCAPES.sub("", output).replace("\0", "")
    return plain.encode("utf-8", "replace").decode("utf-8")


def shown(text: str, most: int = MOST_CHARACTERS, place: str = "") -> str:
    """The text, or its head and its tail and how much is left out between them.

    `place` is where all of it can be read, "" for nowhere.
    """
    if len(text) <= most:
        return text
    half = most // 2
    left_out = f"{len(text) - 2 * half} characters are left out here"
    note = f"{left_out}; all of it is in {place}" if place else left_out
    return f"{text[:half]}\n[... {note} ...]\n{text[-half:]}"


def shortened(messages: Sequence[Message]) -> list[Message]:
    """The messages with old answers cut to their beginnings; the task and the newest ones stay."""
    start = next((i for i, m in enumerate(messages) if m.role == "assistant"), len(messages))
    end = max(start, len(messages) - _NEWEST)
    return [
        *messages[:start],
        *(_cut(message) for message in messages[start:end]),
        *messages[end:],
    ]


def _cut(message: Message) -> Message:
    if message.role == "assistant" or len(message.content) <= _SHORTENED_TO:
        return message
    content = f"{message.content[: _SHORTENED_TO - 30].rstrip()}\n[the rest is left out]"
    return dataclasses.replace(message, content=content)


def _ending(completed: CommandResult, limits: ResourceLimits) -> str:
    if completed.ending in _ENDINGS:
        return _ENDINGS[completed.ending].format(limits, limits.memory_bytes // MEBIBYTE)
    return f"exit code {completed.exit_code}"
