"""Which test files a change of a source file tends to bring along."""

from __future__ import annotations

import math

from generator.retrieval.index import Index

_DECAY = 0.97
"""What a change counts, against the one after it."""
_PRIOR = 2.0
"""Changes that a file is taken to have had with none of the tests, so that one alone is no rule."""


def tests_changed_with(index: Index, source: str) -> dict[str, float]:
    """Test file -> how likely it changes when a source file does, from 0 to 1.

    Commits without tests are left aside; one that changes many test files says less of each.
    """
    found: dict[str, float] = {}
    total = _PRIOR
    for age, paths in enumerate(index.changes(source)):
        tests = [path for path in paths if index.is_test(path)]
        weight = _DECAY**age / math.sqrt(len(tests)) if tests else 0.0
        total += weight
        for path in tests:
            found[path] = found.get(path, 0.0) + weight
    return {path: weight / total for path, weight in found.items()}
