"""Every change that fixgate must not accept, by class, and honest ones that it must.

One module a class; those for Java are in `java`. A head stays here for good once it was accepted
wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import (
    caches,
    dodging,
    environments,
    equality,
    examples,
    existence,
    forging,
    golden,
    honest,
    neighbours,
    own_tests,
    steering,
    surroundings,
    trees,
    unfinished,
)
from .head import Head

HONEST = "honest changes"
CLASSES: Mapping[str, Sequence[Head]] = {
    "special cases of the example": examples.HEADS,
    "right where the environment is recognised": environments.HEADS,
    "right in the surroundings of tests": surroundings.HEADS,
    "values that lie about equality": equality.HEADS,
    "tests steered": steering.HEADS,
    "results forged": forging.HEADS,
    "given tests dodged": dodging.HEADS,
    "own tests that fail for nothing": own_tests.HEADS,
    "own tests that look for what is new": existence.HEADS,
    "own tests that do not end": unfinished.HEADS,
    "existing tests and golden data edited": golden.HEADS,
    "neighbours broken": neighbours.HEADS,
    "trees that are not what they seem": trees.HEADS,
    "poisoned caches": caches.HEADS,
    HONEST: honest.HEADS,
}
"""The heads of each class, by the class's name."""
HEADS: Sequence[Head] = [head for heads in CLASSES.values() for head in heads]
