"""Which functions of the base a change touches."""

from __future__ import annotations

from evaluator.diff import Changes, Source
from evaluator.languages import language_of, source_language
from evaluator.languages.sources import Touched


def touched(changes: Changes, source: Source) -> Touched:
    """What changes of code touch; `source` reads the base.

    What is no source is read as by the language of most of the change.
    """
    mostly = language_of(changes.contents)
    found = [
        (source_language(path) or mostly).sources.touched(path, source, new)
        for path, new in sorted(changes.contents.items())
        if source(path) != new
    ]
    return Touched(
        frozenset().union(*(each.files for each in found)),
        {path: lines for each in found for path, lines in each.functions.items()},
        frozenset().union(*(each.loaded for each in found)),
        frozenset().union(*(each.names for each in found)),
    )
