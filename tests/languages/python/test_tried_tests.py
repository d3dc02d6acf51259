"""Which functions of a test file are tried, and what is rewritten of it for that."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.languages.python.safeguards.assertions.inserted import inserted
from evaluator.languages.python.safeguards.assertions.negating import negated, undefined
from tests.languages.python.trying import ends_of, lay_words, ran, written

MADE = """
import unittest
from words import *
def claims(wanted):
    def check(self):
        self.assertEqual(count(), wanted)
    return check
class Meta(type):
    def __new__(kind, name, bases, scope):
        scope["test_meta"] = claims(3)
        return super().__new__(kind, name, bases, scope)
class Test(unittest.TestCase, metaclass=Meta):
    pass
for name, wanted in {"test_loop": 3, "test_other": 3}.items():
    setattr(Test, name, claims(wanted))
Made = type("Made", (unittest.TestCase,), {"test_type": claims(3), "test_none": lambda self: 0})
Made.test_same = Test.test_loop
"""


def test_tests_that_no_definition_is_named_for_are_tried(tmp_path: Path) -> None:
    names = ["test_loop", "test_meta", "test_none", "test_same", "test_type"]
    code = inserted("key")
    found = negated(MADE.encode(), names, code, undefined([MADE.encode()], names))
    assert found.tests == set()
    printed = ran(tmp_path, found.content)
    noticed = dict.fromkeys(names, "noticed 1") | {"test_none": "noticed 0"}
    assert dict(ends_of(printed, code.token)) == noticed, printed


HELD = {"anything": "fails()", "slip": "nowhere"}
RAISING = """
import functools, unittest
from words import *
def raises(*kinds):
    def decorate(function):
        @functools.wraps(function)
        def run(self):
            try:
                function(self)
            except kinds:
                return
            raise AssertionError("nothing raised")
        return run
    return decorate
class lax:
    def raises(*kinds):
        return raises(Exception)
class Test(unittest.TestCase):
    @raises(ValueError)
    def test_one(self): fails()
    @raises(OSError, ValueError)
    def test_one_of_two(self): fails()
    @raises(Exception)
    def test_slip(self): nowhere
    @lax.raises(ValueError)
    def test_anything(self): fails()
    @raises(ValueError)
    def test_more(self):
        self.assertEqual(count(), 3)
        fails()
"""


def test_what_a_decorator_says_that_a_test_raises_is_tried(tmp_path: Path) -> None:
    """pyexcel's tests have nose's: whatever came in the place of other values, it was content."""
    code = inserted("key")
    names = ["test_anything", "test_more", "test_one", "test_one_of_two", "test_slip"]
    found = negated(RAISING.encode(), names, code)
    assert found.tests == set(names)
    printed = ran(tmp_path, found.content)
    lines = RAISING.splitlines()
    held = {name: lines.index(f"    def test_{name}(self): {body}") for name, body in HELD.items()}
    assert dict(ends_of(printed, code.token)) == {
        "test_anything": f"held {held['anything']}; noticed 0",
        "test_slip": f"held {held['slip']}; noticed 0",
        "test_one": "noticed 1",
        "test_one_of_two": "noticed 1",
        "test_more": "noticed 2",
    }, printed


def test_a_definition_that_a_name_begins_with_is_its_own() -> None:
    content = b"def test_add():\n    assert 1\n"
    assert undefined([content], ["test_add", "test_add_0", "test_new"]) == {"test_new"}


@pytest.mark.parametrize(
    ("cookie", "encoding"),
    [("utf8", "utf-8"), ("UTF_8", "utf-8"), ("ascii", "ascii"), ("iso8859-1", "ascii")],
)
def test_a_file_that_is_the_same_in_utf_8_is_rewritten(cookie: str, encoding: str) -> None:
    word = "ä" if encoding == "utf-8" else "a"
    content = f"# -*- coding: {cookie} -*-\ndef test_word():\n    assert '{word}'\n"
    assert negated(content.encode(encoding), ["test_word"], inserted("key")).tests == {"test_word"}


def test_decorators_are_such_as_every_python_reads() -> None:
    """Before 3.9, only a name may be called there: dpath's tests stand below `raises` of nose."""
    code = b"@raises(TypeError)\ndef test_x(): assert 1 == f()\n"
    found = negated(code, ["test_x"], inserted("key"))
    assert found.tests == {"test_x"}
    assert b"\n@raises(TypeError)\n" in found.content
    ast.parse(found.content, feature_version=(3, 8))


def test_a_file_in_another_encoding_is_left_as_it_is() -> None:
    content = "# coding: latin-1\ndef test_word():\n    assert 'ä'\n".encode("latin-1")
    assert negated(content, ["test_word"], inserted("key")).content == content


CASES = """
import inspect, unittest
from words import *
def given(**values):
    def decorate(function):
        names = inspect.getfullargspec(function).args
        def cases(self):
            for value in values["wanted"]:
                function(self, **{name: value for name in names[1:]})
        return cases
    return decorate
class Test(unittest.TestCase):
    @given(wanted=[3, 3])
    def test_0(self, wanted):
        assert count() == wanted
"""


OLD_PYTEST = """
import builtins, unittest
from words import *
class AssertionError(builtins.AssertionError):
    pass
class Test(unittest.TestCase):
    def setUp(self):
        builtins.AssertionError = AssertionError
    def tearDown(self):
        builtins.AssertionError = AssertionError.__base__
    def test_unittest(self):
        self.assertEqual(count(), 3)
    def test_bare(self):
        assert count() == 3
"""


def test_failures_are_known_where_pytest_has_put_a_class_of_its_own_for_them(
    tmp_path: Path,
) -> None:
    code, names = inserted("key"), {"test_unittest", "test_bare"}
    content = negated(OLD_PYTEST.encode(), names, code).content
    ends = dict(ends_of(ran(tmp_path, content), code.token))
    assert ends == dict.fromkeys(names, "noticed 1")


def test_a_decorator_still_finds_the_arguments_of_a_test(tmp_path: Path) -> None:
    code = inserted("key")
    content = negated(CASES.encode(), ["test_0"], code).content
    assert f"{code.token} noticed 1" in ran(tmp_path, content)


def test_pytest_shows_no_frame_of_its_own_for_a_failure(tmp_path: Path) -> None:
    lay_words(tmp_path)
    content = negated(
        written({"number": "assert count() == 3"}), ["test_0"], inserted("key")
    ).content
    (tmp_path / "test_negated.py").write_bytes(content)
    command = [sys.executable, "-m", "pytest", "--color=no", "test_negated.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "noticed 1" in done.stdout
    places = re.findall(r"^(\S+\.py|<string>):\d+: ", done.stdout, re.M)
    assert set(places) == {"test_negated.py"}


FACTORY = """
import unittest
from words import *
def make(name, wanted):
    class Case(unittest.TestCase):
        def test_count(self):
            self.assertEqual(count(), wanted)
        def test_nothing(self):
            count()
    Case.__name__ = Case.__qualname__ = name
    globals()[name] = Case
for number in range(2):
    make(f"Test{number}", 3)
"""


def test_classes_that_a_function_makes_are_tried(tmp_path: Path) -> None:
    names = {"test_count", "test_nothing"}
    code = inserted("key")
    found = negated(FACTORY.encode(), names, code)
    assert found.tests == names
    ends = ends_of(ran(tmp_path, found.content), code.token)
    assert sorted(ends) == [("test_count", "noticed 1")] * 2 + [("test_nothing", "noticed 0")] * 2


DESCRIBED = """
import unittest
from words import *
def describe_counting():
    def counts(self):
        def counts():
            return count()
        self.assertEqual(counts(), 3)
    def nothing(self):
        count()
    return counts, nothing
class Test(unittest.TestCase):
    test_counts, test_nothing = describe_counting()
"""


def test_functions_within_functions_are_tried_as_in_pytest_describe(tmp_path: Path) -> None:
    code = inserted("key")
    found = negated(DESCRIBED.encode(), {"counts", "nothing"}, code)
    assert found.tests == {"counts", "nothing"}
    printed = ran(tmp_path, found.content)
    ends = dict(ends_of(printed, code.token))
    assert ends == {"test_counts": "noticed 1", "test_nothing": "noticed 0"}, printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"""A package of tests."""\n',
        "from __future__ import absolute_import, unicode_literals\n",
        '#!/usr/bin/python\n"""Tests."""\nfrom __future__ import annotations\n',
        '"""Tests."""\nfrom __future__ import annotations\nfrom __future__ import division\nx = 1',
        "from __future__ import annotations; x = 1\n",
        '"""Tests."""; x = 1\n',
        "# only a comment\n",
    ],
)
def test_what_must_come_first_in_a_file_still_does(text: str) -> None:
    rewritten = negated(text.encode(), ["test_it"], inserted("key"), ["test_made"])
    compile(rewritten.content, "tests/__init__.py", "exec", dont_inherit=True)
