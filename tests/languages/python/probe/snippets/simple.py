"""A docstring."""
from __future__ import division

import os


def plain(a, b=2):
    """Not code."""
    total = a + b; total += 1
    if a: total += 1
    if total > 3:
        total -= 1
    elif total:
        total = 0
    else:
        total = 1
    return total


class Thing:
    """Not code either."""

    value = 1
    other: int = 2
    unset: int

    def method(self):
        return self.value

    @property
    def shown(self):
        pass

    @staticmethod
    def nothing(): return None


def never():
    return 1


first = plain(1)
assert first, "message"
del first
calls = [
    lambda: plain(5),
    lambda: plain(0),
    lambda: Thing().method(),
    lambda: Thing().shown,
    lambda: Thing.nothing(),
]
