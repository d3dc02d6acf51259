"""What happened while one issue was worked on: taken down at every step, read again, shown."""

from __future__ import annotations

from generator.trajectory.protocol import Trajectory

__all__ = ["Trajectory"]
