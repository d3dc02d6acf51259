"""How failures are worded: values where an assertion compared some, else its message or itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Failure, Frame, Side, Status, Transition
from evaluator.report.failures import assertion_line, failure_in_words

FILE = "tests/test_words.py"


def worded(kind: str, message: str, code: str = "", file: str = FILE) -> str:
    """How a failure on the second line of a test of one statement is worded."""
    test = f"def test_it():\n    {code}\n".encode()
    side = Side(Status.FAILED, failure=Failure(kind, message, Frame(file, 2, "test_it")))
    transition = Transition(f"{file}::test_it", file, side, side)
    return failure_in_words(transition, side, {file: test}.get)


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        ("assert 2 == 3\n +  where 2 = f(1)", "assert f(1) == 3", "got 2, expected 3"),
        ("'a' != 'b'\n- a\n+ b", 'self.assertEqual(f(1), "b")', "got 'a', expected 'b'"),
        ("'b' != 'a'", "self.assertEqual('b', f(1))", "got 'a', expected 'b'"),
        ("2 == 2", "self.assertNotEqual(f(1), 2)", "got 2, expected anything else"),
        ("2 != 3 : too few", "self.assertEqual(f(1), 3, 'too few')", "got 2, expected 3"),
        ("2 != 3", "self.assertEqual(f(1), wanted)", "2 != 3"),
        ("3 not less than 2", "self.assertLess(f(1), 2)", "3 not less than 2"),
        ("", "assert f(1) == 3", "`assert f(1) == 3` does not hold"),
        ("", "", "an assertion does not hold"),
    ],
)
def test_an_assertion(message, code, words):
    assert worded("AssertionError", message, code) == words


@pytest.mark.parametrize(
    ("kind", "message", "words"),
    [
        (
            "org.junit.ComparisonFailure",
            "expected:<ab[c]> but was:<ab[d]>",
            "got abd, expected abc",
        ),
        ("org.opentest4j.AssertionFailedError", "expected: <1> but was: <2>", "got 2, expected 1"),
        (
            "java.lang.AssertionError",
            "expected [true] but found [false]",
            "got false, expected true",
        ),
        (
            "java.lang.AssertionError",
            "\nExpected: is <3>\n     but: was <4>",
            "got <4>, expected <3>",
        ),
    ],
)
def test_an_assertion_of_java(kind, message, words):
    assert worded(kind, message, file="src/test/java/a/WordsTest.java") == words


def test_any_other_exception_is_named_with_its_first_line():
    assert worded("pkg.errors.WordError", "no word\nin line 3") == "WordError: no word"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_failure_is_worded_in_one_line(message, code):
    line = code.replace("\n", " ").replace("\r", " ")
    assert "\n" not in worded("AssertionError", message, line)


def test_a_line_that_is_not_there_is_none():
    side = Side(Status.FAILED, failure=Failure("E", "", Frame(FILE, 9, "f")))
    assert assertion_line(side, {FILE: b"x = 1\n"}.get) == ""
    assert assertion_line(side, lambda _: None) == ""
