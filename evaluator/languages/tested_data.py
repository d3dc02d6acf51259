"""Data of the project that given tests read, where a change makes them others.

A test that somebody hands in may take its examples, or what it expects, from code of the project. A
change that replaces these, or takes some away, has the test say something else; what it adds to a
table is none of the test's examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import TypeVar

from evaluator.languages import is_test_file
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed

Read = tuple[str, str]
"""What a test reads: where that is, a package or a class, and its name."""
Edited = Callable[[str, bytes, bytes, Collection[Read]], Mapping[Read, str]]
"""Gives for a path, with its old and its new content, what of some reads is edited there.

With each what it is called.
"""
_Name = TypeVar("_Name", bound=Hashable)


def edited_data(
    changed: Changed,
    base: BaseTree,
    suffix: str,
    readers: Mapping[str, Collection[Read]],
    edited: Edited,
) -> Iterator[Concern]:
    """The files of a suffix in which a change edits what `readers` read, by their paths."""
    wanted = {read for reads in readers.values() for read in reads}
    for path, new in sorted(changed.items()) if wanted else ():
        if not path.endswith(suffix) or is_test_file(path) or new is None:
            continue
        found = edited(path, base.source(path) or b"", new, wanted)
        for reader, reads in readers.items():
            for name in sorted({name for read, name in found.items() if read in reads}):
                yield Concern(path, f"edits {name}, which {reader} reads")


def lacking(
    before: Mapping[_Name, Counter[str]], after: Mapping[_Name, Counter[str]]
) -> set[_Name]:
    """The names whose items are not all there any more."""
    return {name for name, items in before.items() if items - after.get(name, Counter())}
