"""Records only what is new in a request: models are sent the whole conversation each time."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

from generator.model.protocol import Message, Reply
from generator.trajectory.protocol import Trajectory


class Conversations:
    """Finds the conversation that a request continues, and writes what was not written yet.

    A request goes on with the longest conversation that it starts with; else it begins a new one.
    Each message's extra holds the number of its conversation. Safe for several threads.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._lock = threading.Lock()
        self._resting: dict[int, tuple[Message, ...]] = {}
        self._begun = 0

    def asked(self, messages: Sequence[Message]) -> OpenRequest:
        """Record a request; its reply goes to the turn that is returned."""
        with self._lock:
            number, written = self._continued(tuple(messages))
        for message in messages[written:]:
            self._trajectory.message(message, {"conversation": number})
        return OpenRequest(self, self._trajectory, number, tuple(messages))

    def rest(self, number: int, messages: tuple[Message, ...]) -> None:
        """Note that a conversation may be gone on with from here."""
        with self._lock:
            self._resting[number] = messages

    def _continued(self, messages: tuple[Message, ...]) -> tuple[int, int]:
        """The number of the conversation, and how many of the messages are written already."""
        fitting = [n for n, known in self._resting.items() if messages[: len(known)] == known]
        if fitting:
            number = max(fitting, key=lambda n: len(self._resting[n]))
            return number, len(self._resting.pop(number))
        self._begun += 1
        return self._begun, 0


@dataclasses.dataclass(frozen=True)
class OpenRequest:
    """A request that waits for its reply."""

    conversations: Conversations
    trajectory: Trajectory
    number: int
    messages: tuple[Message, ...]

    def answered(self, reply: Reply, *, cost: float | None, seconds: float) -> None:
        """Record the reply with what it took; `cost` is in USD, None where it is unknown."""
        extra: dict[str, Any] = {
            "conversation": self.number,
            "cost": cost,
            "seconds": round(seconds, 3),
            "finish_reason": reply.finish_reason,
            "cached": reply.cached,
            "usage": dataclasses.asdict(reply.usage),
        }
        self.trajectory.message(reply.message, extra)
        self.conversations.rest(self.number, (*self.messages, reply.message))

    def failed(self, reason: str) -> None:
        """Record that no reply came, and why; the same may be asked again."""
        self.trajectory.note(f"no reply: {reason}", {"conversation": self.number})
        self.conversations.rest(self.number, self.messages)
