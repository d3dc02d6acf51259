"""Tests that pass and show a wrong behaviour, and the inversion of nothing but their assertions.

The idea is that of AssertFlip: a passing test is easier to write than one that fails for the
right reason, and one that runs to its last line has its imports and its set-up right.
"""

from generator.inverting.assertions import Assertion, assertions_of, new_tests
from generator.inverting.flipping import flipped
from generator.inverting.replacing import read_replacements, replaced

__all__ = [
    "Assertion",
    "assertions_of",
    "flipped",
    "new_tests",
    "read_replacements",
    "replaced",
]
