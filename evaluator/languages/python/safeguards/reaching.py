"""What in a change's code reaches for the machinery that runs it, found without running it.

Code and tests share one process, so that code which knows that it is being tested, or which changes
what runs it, can have any test end as it likes. Who wants to can hide this from a reader; what
remains open then is caught when tests are tried with other values (see `assertions`), or by the
people who review.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from evaluator.languages.python.parsing import parsed_leniently
from evaluator.languages.python.safeguards.comparisons import lying_classes
from evaluator.languages.python.safeguards.composed_names import composed_texts
from evaluator.languages.python.safeguards.watched_names import NATIVE_WORDS, reaches
from evaluator.languages.python.sources.difference import AddedStatements, differing

_NATIVE = frozenset({".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs"})


def reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What the old version of a file reaches for and the new one does not, and the reverse."""
    suffix = PurePosixPath(path).suffix
    if suffix in _NATIVE:
        words = [{word.decode() for word in NATIVE_WORDS if word in side} for side in (old, new)]
        return words[0] - words[1], words[1] - words[0]
    if suffix not in (".py", ".pyw"):
        return (), ()
    before, after = (set(_in_python(part)) for part in differing(old, new))
    return before, after and after - _in_all(old)


def _in_all(content: bytes) -> set[str]:
    """All that a module reaches for."""
    tree = parsed_leniently(content) or ast.Module([], [])
    return set(_in_python(AddedStatements(tree, tree)))


def _in_python(part: AddedStatements) -> Iterator[str]:
    yield from reaches(part.statements, part.imports)
    yield from composed_texts(part.statements)
    yield from lying_classes(part.statements)
