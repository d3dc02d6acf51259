"""Reading sentences and tracebacks."""

from __future__ import annotations

import pytest

from generator.languages.python.notation import NOTATION
from generator.report_text import Claim, read_report


def claims(text: str) -> tuple[Claim, ...]:
    return read_report("Title of it\n" + text, NOTATION).claims


@pytest.mark.parametrize(
    ("sentence", "actual", "expected"),
    [
        ("`f(1)` returns `2` instead of `3`.", "2", "3"),
        ("`f(1)` gives `2` but should give `3`.", "2", "3"),
        ("`f(1)` should be `3` rather than `2`.", "2", "3"),
        ("`f(1)` should take the value 3, but the current output is `2`.", "2", ""),
        ("Currently `f(1)` is wrongly `2`, I expected `3`.", "2", "3"),
        ("f(1) should be 3 rather than 2", "2", "3"),
    ],
)
def test_what_a_call_gives_and_should(sentence: str, actual: str, expected: str) -> None:
    (claim,) = claims(sentence)
    assert (claim.expression, claim.actual, claim.expected) == ("f(1)", actual, expected)


def test_what_a_call_raises() -> None:
    (claim,) = claims("Calling `f([1])` raises a `ValueError` instead of making a list.")
    assert (claim.expression, claim.exception) == ("f([1])", "ValueError")


def test_what_a_call_should_raise() -> None:
    (claim,) = claims("`f([1])` should raise `TypeError`.")
    assert (claim.wanted_exception, claim.exception) == ("TypeError", "")


def test_each_line_that_begins_anew_is_a_sentence() -> None:
    first, second = claims("`f(1)` is right and gives `1`\nBut `g(1)` gives `2` instead of `3`")
    assert (first.expression, first.actual) == ("f(1)", "1")
    assert (second.expression, second.actual, second.expected) == ("g(1)", "2", "3")


def test_what_the_answer_should_be() -> None:
    (claim,) = claims("Instead, the output should be `[2, 3]`, since we add one.")
    assert (claim.expression, claim.expected) == ("", "[2, 3]")


@pytest.mark.parametrize(
    "said",
    [
        "Expected: `[2, 3]`.",
        "**Expected output:** `[2, 3]`",
        "I expected `[2, 3]` here.",
        "Expected result is `[2, 3]`",
    ],
)
def test_what_was_expected(said: str) -> None:
    (claim,) = claims(said)
    assert (claim.expression, claim.expected) == ("", "[2, 3]")


@pytest.mark.parametrize(
    "said",
    [
        "I expected `f(1)` to be called.",
        "I expected `test_it`, and so on.",
        "Expected: `ValueError`",
        "It is as expected. `f(1)`",
    ],
)
def test_what_else_is_expected_is_no_value(said: str) -> None:
    assert claims(said) == ()


def test_an_answer_that_may_also_be_another_is_no_claim() -> None:
    assert claims("The answer should be `f(1)` or remain unevaluated.") == ()


def test_prose_without_code_claims_nothing() -> None:
    assert claims("This should be fixed rather than left. See f for more.") == ()


def test_the_last_error_of_a_traceback_has_its_frames() -> None:
    report = read_report(
        "Title\n```\nTraceback (most recent call last):\n"
        '  File "a.py", line 1, in <module>\n    f()\n  File "b.py", line 2, in f\n    g()\n'
        "pkg.errors.MyError: it 'broke': twice\n```\n",
        NOTATION,
    )
    (error,) = report.errors
    assert (error.name, error.message) == ("MyError", "it 'broke': twice")
    assert error.functions == ("<module>", "f")


def test_errors_in_quotes_and_in_pytest_output() -> None:
    report = read_report(
        "Title\nfails with `TypeError: no way`\n```\nE   KeyError: 'a'\n```\n", NOTATION
    )
    assert [(error.name, error.message) for error in report.errors] == [
        ("TypeError", "no way"),
        ("KeyError", "'a'"),
    ]


def test_frames_of_ipython() -> None:
    report = read_report(
        "Title\n```\n~/x/plot.py in draw(self)\n---> 12     go()\n\nValueError: bad\n```\n",
        NOTATION,
    )
    assert report.errors[0].functions == ("draw",)
