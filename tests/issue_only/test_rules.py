"""Which rules a test rests on, and what is not submitted by them."""

from __future__ import annotations

from typing import Any

import pytest

from generator.languages.python.issue_only.rules import RULE_NAMES
from generator.rules import Denial, RuleSettings

WRONG_OUTPUT = """
    total() forgets the first value
    >>> from calc import *
    >>> values = [1, 2, 3]
    >>> total(values)
    5

    The answer should be `6`, of course.
"""
CRASH = """
    mean() of nothing
    ```python
    mean([])
    ```
    ```
    ZeroDivisionError: division by zero
    ```
"""
SAME_TWICE = """
    total() is wrong
    >>> from calc import *
    >>> total([1, 2])
    2

    `total([1, 2])` returns `2`. It should be `3`.
"""
SEVERAL_BLOCKS = """
    total() forgets the first value
    ```python
    from calc import total
    total([1, 2])
    ```
    Returns
    ```
    2
    ```
    #### Expected Output
    ```
    3
    ```
    #### Description
    It gets the wrong list:
    ```python
    total([1, 1, 2])
    ```
    yields
    ```
    3
    ```
    More numbers would do
    ```
    total([0, 1, 1, 2])
    ```
    which is correct
    ```
    4
    ```
"""
EVERY = RuleSettings(exhaustive=True)


def test_a_candidate_names_all_rules_that_it_rests_on(bench: Any) -> None:
    expected, blamed = bench.candidates(WRONG_OUTPUT)
    assert expected.rules == ("output_expected", "seen_below", "expected_in_answer")
    assert blamed.rules == ("output_blamed", "seen_below")
    assert RULE_NAMES.issuperset({*expected.rules, *blamed.rules})


def test_a_test_that_only_denies_an_output_holds_no_test(bench: Any) -> None:
    right, denying = bench.candidates(WRONG_OUTPUT, RuleSettings())
    assert right.denies is Denial.NOTHING
    assert right.tests.contents
    assert denying.denies is Denial.OUTPUT
    assert not denying.tests.contents
    assert "`--denials output`" in denying.problem


@pytest.mark.parametrize("denials", [(), (Denial.OUTPUT,), (Denial.EXCEPTION,)])
def test_a_crash_is_tested_for_only_where_it_is_asked_for(bench: Any, denials: Any) -> None:
    (made,) = bench.candidates(CRASH, RuleSettings(denials=denials))
    assert made.denies is Denial.EXCEPTION
    assert bool(made.tests.contents) is (Denial.EXCEPTION in denials)


@pytest.mark.parametrize(
    ("words", "denies"),
    [("", Denial.OUTPUT), ("  # this is wrong", Denial.NOTHING)],
)
def test_a_truth_that_is_shown_is_wrong_only_where_words_say_so(
    bench: Any, words: str, denies: Denial
) -> None:
    report = f"""
    total() of two numbers
    ```python
    >>> from calc import total
    >>> total([1, 2]) == 3{words}
    False
    ```
    """
    made, *_ = bench.candidates(report, EVERY)
    assert made.denies is denies


@pytest.mark.parametrize(
    "words",
    [
        "It should not raise an exception.",
        "It shouldn't fail like that.",
        "I would expect this to work.",
        "It worked fine in 1.3.",
        "#### Expected results\n    No error is thrown.",
    ],
)
def test_that_code_should_go_through_can_be_said_by_the_report(bench: Any, words: str) -> None:
    (made,) = bench.candidates(f"{CRASH}\n    {words}", RuleSettings())
    assert made.rules[-1] == "said_to_work"
    assert made.denies is Denial.NOTHING
    assert made.tests.contents


@pytest.mark.parametrize("words", ["It works with lists.", "It should raise a ValueError."])
def test_other_words_do_not_say_that_code_should_go_through(bench: Any, words: str) -> None:
    found = bench.candidates(f"{CRASH}\n    {words}", EVERY)
    assert all("said_to_work" not in made.rules for made in found)


def test_a_block_that_is_far_below_an_example_says_nothing_of_it(bench: Any) -> None:
    (made, *_) = bench.candidates(SEVERAL_BLOCKS, RuleSettings())
    assert made.rules == ("output_expected", "seen_in_block", "expected_in_block")
    assert b"assertEqual(total([1, 2]), 3)" in b"".join(filter(None, made.tests.contents.values()))


def test_an_assertion_of_the_issue_says_what_is_right(bench: Any) -> None:
    issue = "total() is wrong\n```python\nfrom calc import total\nassert total([1, 2]) == 3\n```\n"
    (made,) = bench.candidates(issue, RuleSettings())
    assert made.rules == ("own_assertion",)
    assert made.tests.contents


@pytest.mark.parametrize("rule", ["output_expected", "expected_in_answer"])
def test_without_a_rule_nothing_rests_on_it(bench: Any, rule: str) -> None:
    assert all(
        rule not in made.rules
        for made in bench.candidates(WRONG_OUTPUT, RuleSettings(without=(rule,)))
    )


def test_to_measure_rules_what_several_of_them_give_is_there_for_each(bench: Any) -> None:
    usual, every = bench.candidates(SAME_TWICE), bench.candidates(SAME_TWICE, EVERY)
    assert len({made.rules for made in every}) == len(every) > len(usual)
    assert all(made.tests.contents for made in every)
    confidences = [made.confidence for made in every]
    assert confidences == sorted(confidences, reverse=True)
