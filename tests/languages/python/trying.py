"""Runs rewritten test files beside libraries of assertions, and reads what they report."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HAMCREST = """
class Matcher:
    def __init__(self, matches):
        self.matches = matches
class IsEqual:
    def __init__(self, object):
        self.object = object
    def matches(self, item):
        return item == self.object
class Is:
    def __init__(self, matcher):
        self.matcher, self.matches = matcher, matcher.matches
equal_to, is_ = IsEqual, Is
def greater_than(number):
    return Matcher(lambda item: item > number)
def is_not(matcher):
    return Matcher(lambda item: not matcher.matches(item))
def assert_that(item, matcher):
    if not matcher.matches(item):
        raise AssertionError("no match")
"""
ASSERTPY = """
class Chain:
    def __init__(self, value):
        self.value = value
    def is_not_none(self):
        assert self.value is not None
        return self
    def is_equal_to(self, wanted):
        assert self.value == wanted
        return self
    def contains(self, part):
        assert part in self.value
        return self
def assert_that(value):
    return Chain(value)
"""
EXPECTS = """
class equal:
    def __init__(self, wanted):
        self._expected = wanted
class Expectation:
    def __init__(self, value):
        self.value, self._negated = value, False
    @property
    def not_to(self):
        self._negated = True
        return self.to
    def to(self, matcher):
        assert (self.value == matcher._expected) is not self._negated
def expect(value):
    return Expectation(value)
"""
SYRUPY = """
class Snapshot:
    executions = 0
    def __init__(self, *stored):
        self.stored = stored
    def __eq__(self, other):
        self.executions += 1
        return other == self.stored[self.executions - 1]
"""
PYTEST_MOCK = """
class wrapped:
    def __init__(self, mock):
        self.mock = mock
    def assert_called_once_with(self, *given):
        self.mock.assert_called_once_with(*given)
"""
SHIPPED = """
import contextlib
def eq_(found, wanted):
    assert found == wanted
def is_(found, wanted):
    assert found is wanted
def is_true(found):
    assert found
def in_(found, all):
    assert found in all
def not_in(found, all):
    assert found not in all
def eq_ignore_blanks(found, wanted):
    assert found.replace(" ", "") == wanted.replace(" ", "")
def assert_nothing(found, wanted):
    pass
def assert_column(found, wanted):
    assert type(found) is type(wanted)
class Context:
    def __init__(self, found):
        self.found = found
    def assert_(self, *wanted):
        eq_([self.found], [text.strip() for text in wanted])
def assert_raises(kind, function):
    try:
        function()
    except kind:
        return
    raise AssertionError("nothing raised")
@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError("nothing raised")
"""
WORDS = (Path(__file__).parent / "words_that_lie.py").read_text()
HEAD = '''"""Documentation."""
from __future__ import annotations
import datetime, pathlib, unittest, unittest.mock
import pytest
import package.testing as shipped
import assertpy
from expects import equal, expect
from hamcrest import *
from syrupy import Snapshot
from pytest_mock import wrapped
from words import *
class Mine:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
def check(found, wanted):
    assert found == wanted
class Test(unittest.TestCase):
    def __check(self, found, wanted):
        assert found == wanted
'''


def written(table: dict[str, str]) -> bytes:
    bodies = ("\n".join(f"        {line}" for line in body.splitlines()) for body in table.values())
    methods = (f"    def test_{n}(self):\n{body}\n" for n, body in enumerate(bodies))
    return (HEAD + "".join(methods)).encode()


def lay_words(directory: Path) -> None:
    (directory / "words.py").write_text(WORDS)
    (directory / "hamcrest.py").write_text(HAMCREST)
    (directory / "pytest_mock.py").write_text(PYTEST_MOCK)
    (directory / "assertpy.py").write_text(ASSERTPY)
    (directory / "expects.py").write_text(EXPECTS)
    (directory / "syrupy.py").write_text(SYRUPY)
    (directory / "package").mkdir(exist_ok=True)
    (directory / "package" / "testing.py").write_text(SHIPPED)


def ran(directory: Path, content: bytes, interpreter: str = sys.executable) -> str:
    """What unittest prints of a rewritten test file."""
    lay_words(directory)
    (directory / "test_negated.py").write_bytes(content)
    command = [interpreter, "-m", "unittest", "-v", "test_negated"]
    return subprocess.run(
        command, cwd=directory, capture_output=True, text=True, check=False
    ).stderr


def ends_of(printed: str, token: str) -> list[tuple[str, str]]:
    """The tests that did not pass, each with what it reports."""
    return re.findall(rf"(?:FAIL|ERROR): (\w+)(?s:.*?){token} (.*)", printed)
