"""A trajectory on disk, in the shape of mini-swe-agent's `.traj.json`.

https://mini-swe-agent.com/latest/usage/output_files/ describes it: `info` with `model_stats`,
`exit_status` and `submission`, `messages` in OpenAI's form with an `extra` object each, and
`trajectory_format`. Notes are messages of the role `note`, as its own `exit` is one of `exit`.
"""

from __future__ import annotations

import datetime
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evaluator.storage import write_whole
from generator.model.chat import message_json
from generator.model.protocol import Message

FORMAT = "mini-swe-agent-1.1"
SUFFIX = ".traj.json"
UNFINISHED = "unfinished"
"""The exit status of a trajectory whose work goes on, or was killed."""

Statistics = Callable[[], Mapping[str, Any]]


class TrajectoryRecorder:
    """Writes a trajectory again at every step, whole or not at all. Safe for several threads.

    A kill at any moment leaves the file as it was after the last step. `facts` go to `info`
    (instance, method, model, ...), `statistics` is asked for `model_stats` at every step.
    """

    def __init__(
        self, path: Path, facts: Mapping[str, Any], *, statistics: Statistics | None = None
    ) -> None:
        self.path = path
        self._statistics = statistics or _no_model
        self._info: dict[str, Any] = {"exit_status": UNFINISHED, "submission": "", **facts}
        self._messages: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            self._save()

    def message(self, message: Message, extra: Mapping[str, object] | None = None) -> None:
        """Append a message and save."""
        self._append(message_json(message), extra)

    def note(self, text: str, extra: Mapping[str, object] | None = None) -> None:
        """Append a note and save."""
        self._append({"role": "note", "content": text}, extra)

    def finish(
        self, exit_status: str, submission: str = "", facts: Mapping[str, Any] | None = None
    ) -> None:
        """Record how it ended and what came out of it, with any further facts, and save."""
        with self._lock:
            ending = {"exit_status": exit_status, "submission": submission}
            self._info = {**self._info, **ending, **(facts or {})}
            self._save()

    def _append(self, document: dict[str, Any], extra: Mapping[str, object] | None) -> None:
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        with self._lock:
            self._messages.append({**document, "extra": {**(extra or {}), "time": now}})
            self._save()

    def _save(self) -> None:
        document = {
            "info": {"model_stats": dict(self._statistics()), **self._info},
            "messages": self._messages,
            "trajectory_format": FORMAT,
        }
        text = json.dumps(document, indent=1, ensure_ascii=False, default=str)
        write_whole(self.path, text.encode("utf-8", "replace"))


def _no_model() -> Mapping[str, Any]:
    return {"instance_cost": 0.0, "api_calls": 0}
