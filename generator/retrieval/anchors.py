"""Where in a test file a new test belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.languages import Symbol, outline
from generator.retrieval.symbols import shared_words
from generator.retrieval.types import Anchor


def find_anchor(path: str, text: str, query: Mapping[str, float]) -> Anchor:
    """The place beside the tests that share most words with a query.

    In a class, that is behind its last test; at the top level, behind the most similar one. A file
    without tests is added to at its end.
    """
    tests = [s for s in outline(path, text) if not s.is_class and s.short_name.startswith("test")]
    lines = text.splitlines()
    if not tests:
        return Anchor(path, "", "", len(lines) + 1, "the file holds no test yet")
    likeness = shared_words(("\n".join(lines[s.first - 1 : s.last]) for s in tests), query)
    nearest = max(zip(likeness, tests, strict=True), key=lambda pair: (pair[0], -pair[1].first))[1]
    beside = _last_in_class(tests, nearest.parent) if nearest.parent else nearest
    reason = f"{nearest.name} shares most words with the issue"
    return Anchor(path, nearest.parent, beside.short_name, beside.last + 1, reason)


def _last_in_class(tests: Sequence[Symbol], parent: str) -> Symbol:
    return max((test for test in tests if test.parent == parent), key=lambda test: test.last)
