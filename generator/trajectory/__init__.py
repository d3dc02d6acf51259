"""The steps of the work on one issue: recorded, read again, shown."""

from __future__ import annotations

from generator.trajectory.protocol import Trajectory

__all__ = ["Trajectory"]
