"""Replies that were paid for once: the same question to the same model is not asked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cattrs

from evaluator.storage import content_key, locked, write_whole
from generator.model.exchange import reply_json, reply_of, request_json
from generator.model.protocol import Message, Model, Parameters, Reply, Tool


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
    except (OSError, ValueError, TypeError, cattrs.BaseValidationError):
        return None
