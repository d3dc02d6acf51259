"""Tests that pass and show a wrong behaviour, and the inversion of nothing but their assertions.

The idea is that of AssertFlip: a passing test is easier to write than one that fails for the
right reason, and one that runs to its last line has its imports and its set-up right.
"""

from generator.languages.python.inverting.assertions import Assertion, assertions_of, new_tests
from generator.languages.python.inverting.flipping import flipped
from generator.languages.python.inverting.replacing import replaced

__all__ = [
    "Assertion",
    "assertions_of",
    "flipped",
    "new_tests",
    "replaced",
]
