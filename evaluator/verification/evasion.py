"""What in a change's code reaches for the machinery that runs it, found without running it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from evaluator.diff import Source
from evaluator.languages import is_test_file, languages
from evaluator.languages.safeguards import Concern
from evaluator.languages.sources import Changed


def evasions(changed: Changed, source: Source) -> tuple[Concern, ...]:
    """What files with new contents reach for that they did not before: what runs them, for one.

    Code that moves from one changed file to another reaches for nothing new.
    """
    code = {path: new for path, new in changed.items() if not is_test_file(path)}
    sides = {path: _reached(path, source(path) or b"", new or b"") for path, new in code.items()}
    gone = Counter(what for old, _ in sides.values() for what in old)
    found = []
    for path, (_, new) in sorted(sides.items()):
        for what in sorted(new):
            if gone[what] <= 0:
                found.append(Concern(path, what))
            gone[what] -= 1
    return tuple(found)


def _reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What only the old content reaches for, and what only the new, as any language sees it."""
    found = [language.safeguards.reached(path, old, new) for language in languages()]
    gone, added = zip(*found, strict=True)
    return set().union(*gone), set().union(*added)
