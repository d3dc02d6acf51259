"""Replies that are kept: in a cache, or as whole conversations to be played again.

A recording is JSONL: one request with its reply a line, appended as they come.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from evaluator import InputError
from evaluator.storage import content_key, locked, write_whole
from generator.errors import ModelRefusedError
from generator.model.protocol import (
    JsonObject,
    Message,
    Model,
    Parameters,
    Reply,
    Tool,
    reply_json,
    reply_of,
    request_json,
)


class CachedModel:
    """A model whose replies are kept in a directory, safely for threads and processes.

    Keys are the model, the parameters (with the number of the sample), the messages and the tools;
    `scope` keeps endpoints apart that serve different models under one name. Whoever asks the same
    meanwhile waits for the first one's reply.
    """

    def __init__(self, model: Model, directory: Path, *, scope: str = "") -> None:
        self.name = model.name
        self.calls_tools = model.calls_tools
        self._model = model
        self._directory = directory
        self._scope = scope

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """The kept reply, else a new one, which is kept; raises what the model raises."""
        request = request_json(self.name, messages, parameters, tools)
        path = self._path(request)
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock")):
            kept = _read(path)
            if kept is not None:
                return kept
            reply = self._model.reply(messages, parameters, tools)
            document = {"model": self.name, **reply_json(reply)}
            write_whole(path, json.dumps(document, indent=1).encode())
        return reply

    def _path(self, request: dict[str, Any]) -> Path:
        key = content_key(self._scope, request)
        return self._directory / key[:2] / f"{key}.json"


def _read(path: Path) -> Reply | None:
    """The reply in a file; None where there is no readable one, and the model is asked."""
    try:
        return reply_of(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


class RecordingModel:
    """A model of which every request and reply is appended to a file.

    A kill in mid-line costs that line only. Several threads and processes may share the file.
    """

    def __init__(self, model: Model, path: Path) -> None:
        self.name = model.name
        self.calls_tools = model.calls_tools
        self._model = model
        self._path = path

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask the model and record what it replied; raises what the model raises."""
        reply = self._model.reply(messages, parameters, tools)
        request = request_json(self.name, messages, parameters, tools)
        facts = {"calls_tools": self.calls_tools}
        self._append(json.dumps({**request, **facts, "reply": reply_json(reply)}).encode())
        return reply

    def _append(self, line: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = self._path.with_name(f".{self._path.name}.lock")
        with locked(lock), self._path.open("ab+") as stream:
            _cut_half_a_line(stream)
            stream.write(line + b"\n")


def _cut_half_a_line(stream: Any) -> None:
    """Take away what a killed writer left, so that the next line stands for itself."""
    end = stream.seek(0, 2)
    if end == 0:
        return
    stream.seek(end - 1)
    if stream.read(1) != b"\n":
        stream.seek(0)
        stream.truncate(stream.read().rfind(b"\n") + 1)


class ReplayingModel:
    """Answers from a recording, in any order and from several threads.

    What was asked several times is answered by the replies in their order, then by the last one
    again. Raises InputError where the file cannot be read, and from `reply` ModelRefusedError that
    says how a question differs from the nearest recorded one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = _lines(path)
        self.name = str(self._lines[0]["model"])
        self.calls_tools = bool(self._lines[0].get("calls_tools", False))
        self._replies: dict[str, list[Reply]] = defaultdict(list)
        for number, line in enumerate(self._lines, 1):
            self._replies[_key(line)].append(_reply(path, number, line))
        self._lock = Lock()

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """The recorded reply to exactly this."""
        request = json.loads(json.dumps(request_json(self.name, messages, parameters, tools)))
        with self._lock:
            replies = self._replies.get(_key(request), [])
            if replies:
                return replies.pop(0) if len(replies) > 1 else replies[0]
        raise ModelRefusedError(f"{self._path}: was not asked this: {self._nearest(request)}")

    def _nearest(self, request: JsonObject) -> str:
        differences = [difference(line, request) for line in self._lines]
        return max(differences, key=lambda found: found.alike).text


def _lines(path: Path) -> list[JsonObject]:
    try:
        texts = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    lines = [_line(path, number, text) for number, text in enumerate(texts[:-1], 1) if text]
    if not lines:
        raise InputError(f"{path}: no conversation is recorded in it")
    return lines


def _line(path: Path, number: int, text: bytes) -> JsonObject:
    try:
        line = json.loads(text)
    except ValueError as error:
        raise InputError(f"{path}, line {number}: is no JSON ({error})") from error
    missing = {"model", "parameters", "tools", "messages", "reply"} - set(line)
    if missing:
        raise InputError(f"{path}, line {number}: has no {', '.join(sorted(missing))}")
    return dict(line)


def _reply(path: Path, number: int, line: JsonObject) -> Reply:
    try:
        return reply_of(line["reply"])
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}, line {number}: `reply` cannot be read") from error


def _key(line: JsonObject) -> str:
    return content_key(*(line[part] for part in ("model", "parameters", "tools", "messages")))


_AROUND = 60


@dataclass(frozen=True)
class Difference:
    """`alike` is how many messages agree from the start, `text` what comes after them."""

    alike: int
    text: str


def difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> Difference:
    """The first difference, looking at messages before parameters and tools."""
    pairs = itertools.zip_longest(recorded["messages"], asked["messages"])
    for number, (old, new) in enumerate(pairs):
        if old != new:
            return Difference(number, f"message {number + 1} {_messages(old, new)}")
    names = [name for name in ("parameters", "tools") if recorded[name] != asked[name]]
    text = "; ".join(f"{n} were {recorded[n]}, and are {asked[n]}" for n in names)
    return Difference(len(recorded["messages"]), text or "nothing differs")


def _messages(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> str:
    if old is None or new is None:
        extra = "was not there" if old is None else "is missing"
        return f"{extra} ({(old or new or {})['role']})"
    fields = [name for name in new if old.get(name) != new[name]]
    if fields == ["content"]:
        return f"({new['role']}) {_texts(old['content'], new['content'])}"
    return "; ".join(f"had {name} {old.get(name)!r}, and has {new[name]!r}" for name in fields)


def _texts(old: str, new: str) -> str:
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    cut = slice(max(start - _AROUND // 2, 0), start + _AROUND)
    return f"differs from character {start} on: it was {old[cut]!r}, and is {new[cut]!r}"
