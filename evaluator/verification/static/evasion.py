"""What in a change's code reaches for the machinery that runs it, found without running it.

Code and tests share one process, so that code which knows that it is being tested, or which changes
what runs it, can have any test end as it likes. Who wants to can hide this from a reader; what
remains open then is caught when tests are tried with other values (see `sensitivity`), or by the
people who review.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.python_source import parsed_leniently
from evaluator.verdict.evidence import Concern
from evaluator.verification.static.composed import composed_texts
from evaluator.verification.static.difference import Part, differing
from evaluator.verification.static.lying import lying_classes
from evaluator.verification.static.reaches import NATIVE_WORDS, reaches

_NATIVE = frozenset({".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs"})


def evasions(changed: Mapping[str, bytes | None], source: Source) -> tuple[Concern, ...]:
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
    """What the old version of a file reaches for and the new one does not, and the reverse."""
    suffix = PurePosixPath(path).suffix
    if suffix in _NATIVE:
        words = [{word.decode() for word in NATIVE_WORDS if word in side} for side in (old, new)]
        return words[0] - words[1], words[1] - words[0]
    if suffix not in (".py", ".pyw"):
        return (), ()
    before, after = (set(_in_python(part)) for part in differing(old, new))
    return before, after and after - _standing(old)


def _standing(content: bytes) -> set[str]:
    """All that a module reaches for."""
    tree = parsed_leniently(content) or ast.Module([], [])
    return set(_in_python(Part(tree, tree)))


def _in_python(part: Part) -> Iterator[str]:
    yield from reaches(part.statements, part.imports)
    yield from composed_texts(part.statements)
    yield from lying_classes(part.statements)
