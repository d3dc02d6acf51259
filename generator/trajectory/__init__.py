"""The steps of the work on one issue: saved as they are made, read again, shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from generator.model.protocol import Message


class Trajectory(Protocol):
    """Records a conversation and what is found on the way; every call is on disk at its end."""

    def message(self, message: Message, extra: Mapping[str, object] | None = None) -> None:
        """Append a message; `extra` is saved with it (tokens, cost, seconds, exit code)."""
        ...

    def note(self, text: str, extra: Mapping[str, object] | None = None) -> None:
        """Append what the method found or decided, which no model said or read."""
        ...


class NoTrajectory:
    """Records nothing, where many samples of one prompt are drawn and each is in the results."""

    def message(self, message: Message, extra: Mapping[str, object] | None = None) -> None:
        """Drop a message."""

    def note(self, text: str, extra: Mapping[str, object] | None = None) -> None:
        """Drop a note."""
