"""Adds up evidence for files, and keeps in words where it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.retrieval.types import RankedFile

_LEAST_SHOWN = 0.05
"""The share of a score below which a reason is not worth showing."""


@dataclass
class Scores:
    """Evidence gathered so far: path -> reason -> points."""

    _points: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, path: str, points: float, reason: str) -> None:
        """Give a file points; the same reason twice counts twice."""
        if points > 0:
            of_path = self._points.setdefault(path, {})
            of_path[reason] = of_path.get(reason, 0.0) + points

    def add_all(self, points: Iterable[tuple[str, float]], reason: str) -> None:
        """Give several files points for the same reason."""
        for path, gain in points:
            self.add(path, gain, reason)

    def ranking(self) -> list[RankedFile]:
        """The files, best first, each with its reasons, the weightiest first."""
        ranked = [_ranked(path, reasons) for path, reasons in self._points.items()]
        return sorted(ranked, key=lambda file: (-file.score, file.path))


def _ranked(path: str, reasons: dict[str, float]) -> RankedFile:
    total = sum(reasons.values())
    shown = [reason for reason, points in reasons.items() if points >= _LEAST_SHOWN * total]
    return RankedFile(path, total, tuple(sorted(shown, key=lambda reason: -reasons[reason])))
