"""Simple choices among candidates that were considered."""

from __future__ import annotations

from collections.abc import Sequence

from generator.method import Choice, Considered

ALONE = 0.36
"""How often a submitted test is right that no second writer agrees with (SWT-Bench predictions)."""


def last_admitted(considered: Sequence[Considered], confidence: float = ALONE) -> Choice | None:
    """The last candidate that was admitted: for methods that get better as they go."""
    admitted = [one for one in considered if one.admission.admitted]
    if not admitted:
        return None
    return Choice(admitted[-1], "the last proposal that was admitted", confidence)
