"""What frameworks say of two things that differ, within bounds.

They compare line by line, with `difflib.ndiff`, which takes minutes for two texts of 20,000
characters that have few lines in common, and letter by letter before pytest 9.2, which does so for
short ones only unless more is asked for (`-vv`).
"""

import collections
import difflib
import sys
import types
import unittest.case

LONGEST = 200000
"""Characters of a text."""
MOST_PAIRS = 40000
"""Pairs of lines, one of each side, that the other side lacks: ndiff compares about all of them."""
PLACES = ("util", "compare_text", "_compare_any")
"""Modules of pytest: the first up to 9.1, the others from 9.2 on."""
UNSAID = "(too different to be compared line by line)"


def are_compared(left, right):
    """Whether two lists of lines are compared."""
    one, other = collections.Counter(left), collections.Counter(right)
    pairs = sum((one - other).values()) * sum((other - one).values())
    return pairs <= MOST_PAIRS and max(map(length, (left, right))) <= LONGEST


def length(lines):
    return sum(map(len, lines))


def bound_those_of_unittest():
    """unittest gets a difflib of its own, so that code that is tested has the usual one."""
    own = types.ModuleType("difflib")
    own.__dict__.update(difflib.__dict__)
    own.ndiff = ndiff
    unittest.case.difflib = own


def ndiff(left, right, *others):
    left, right = list(left), list(right)
    if not are_compared(left, right):
        return iter((UNSAID,))
    return difflib.ndiff(left, right, *others)


def bound_those_of_pytest():
    """The functions for texts and, where it says more (`-v`), for lists and the like."""
    for place in PLACES:
        module = sys.modules.get("_pytest.assertion." + place)
        bound(module, "_diff_text", texts_are_compared)
        bound(module, "_compare_eq_iterable", lists_are_compared)


def bound(module, name, is_short):
    explain = getattr(module, name, None)
    if explain is None:
        return

    def explained(left, right, *others, **named):
        if is_short(left, right):
            return explain(left, right, *others, **named)
        return [UNSAID]

    setattr(module, name, explained)


def texts_are_compared(left, right):
    return are_compared(left.splitlines(), right.splitlines())


def lists_are_compared(left, right):
    """Each thing in it is a line of what is compared, or several."""
    if not hasattr(left, "__len__") or not hasattr(right, "__len__"):
        return True
    return len(left) * len(right) <= MOST_PAIRS
