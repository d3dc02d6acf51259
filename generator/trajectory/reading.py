"""Reads trajectories again, ours and mini-swe-agent's, finished or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator import InputError


@dataclass(frozen=True)
class TrajectoryEntry:
    """One message or note. `calls` are the names and arguments of the tools that are called."""

    role: str
    content: str
    calls: tuple[tuple[str, str], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SavedTrajectory:
    """What a file holds. `info` has at least exit_status, submission and model_stats."""

    info: Mapping[str, Any]
    entries: tuple[TrajectoryEntry, ...]

    @property
    def exit_status(self) -> str:
        """How it ended; `unfinished` while it goes on or where it was killed."""
        return str(self.info["exit_status"])

    @property
    def submission(self) -> str:
        """What came out of it; "" where nothing did."""
        return str(self.info["submission"] or "")


def read_trajectory(path: Path) -> SavedTrajectory:
    """Read a `.traj.json` file. Raises InputError naming the field that cannot be read."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: is no JSON: {error}") from error
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list):
        raise InputError(f"{path}: is no trajectory: it has no list `messages`")
    info = document.get("info")
    entries = tuple(_entry(f"{path}, message {n}", m) for n, m in enumerate(messages))
    return SavedTrajectory(_DEFAULTS | (info if isinstance(info, dict) else {}), entries)


_DEFAULTS = {"exit_status": "", "submission": "", "model_stats": {}}


def _entry(place: str, message: object) -> TrajectoryEntry:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise InputError(f"{place}: is no message: it has no `role`")
    calls = message.get("tool_calls") or []
    extra = message.get("extra")
    return TrajectoryEntry(
        message["role"],
        _text(message.get("content")),
        tuple(_call(call) for call in calls if isinstance(call, dict)),
        extra if isinstance(extra, dict) else {},
    )


def _text(content: object) -> str:
    """The text of a message; some models have a list of parts in its place."""
    if isinstance(content, list):
        return "".join(str(p.get("text", "")) for p in content if isinstance(p, dict))
    return "" if content is None else str(content)


def _call(call: Mapping[str, Any]) -> tuple[str, str]:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    return str(function.get("name", "")), str(function.get("arguments", ""))
