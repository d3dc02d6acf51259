"""From an issue to tests that fail on the code as it is, in the way that is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from generator.task import Candidate


def code(candidate: Candidate) -> str:
    (content,) = candidate.tests.contents.values()
    assert content is not None
    return content.decode()


def rules(candidates: list[Candidate]) -> list[str]:
    return [candidate.origin.removeprefix("issue-only/") for candidate in candidates]


CRASH = """
    mean() of nothing
    ```python
    values = []
    unused = [1]
    print(values)
    mean(values)
    ```
    fails with
    ```
    Traceback (most recent call last):
      File "a.py", line 1, in <module>
    {error}
    ```
"""


def test_a_crash_as_reported_becomes_a_call_that_must_go_through(bench: Any) -> None:
    (made,) = bench.candidates(CRASH.format(error="ZeroDivisionError: division by zero"))
    assert rules([made]) == ["crash_shown"]
    assert list(made.tests.contents) == ["tests/test_mean_nothing.py"]
    assert code(made) == (
        "import unittest\nfrom calc import mean\n\n\nclass ReportedTest(unittest.TestCase):\n"
        "    def test_mean_nothing(self):\n        values = []\n        mean(values)\n"
    )


@pytest.mark.parametrize(
    "error", ["ZeroDivisionError: float modulo by zero twice", "ValueError: division by zero"]
)
def test_another_crash_than_the_reported_one_is_none(bench: Any, error: str) -> None:
    assert bench.candidates(CRASH.format(error=error)) == []


def test_a_crash_that_the_code_of_the_issue_raises_itself_is_none(bench: Any) -> None:
    issue = """
        Chained errors are not shown
        ```python
        def test_chained():
            raise ValueError(13)
        ```
        E   ValueError: 13
    """
    assert bench.candidates(issue) == []


def test_a_crash_that_is_asked_for_is_none(bench: Any) -> None:
    issue = CRASH.format(error="ZeroDivisionError: division by zero")
    assert bench.candidates(issue + "\n    The error message should be more helpful.\n") == []


def test_a_crash_where_another_exception_is_wanted(bench: Any) -> None:
    issue = CRASH.format(error="ZeroDivisionError: division by zero")
    (made,) = bench.candidates(issue + "\n    It should raise a ValueError.\n")
    assert "with self.assertRaises(ValueError):\n            mean(values)" in code(made)


def test_a_crash_with_the_reported_one_as_its_cause(bench: Any) -> None:
    (made,) = bench.candidates(
        """
        halves fails
        >>> from calc.numbers import halves
        >>> halves([0])
        ZeroDivisionError: integer division or modulo by zero
        """
    )
    assert rules([made]) == ["crash_shown"]


def test_a_crash_when_a_notebook_shows_a_value(bench: Any) -> None:
    (made,) = bench.candidates(
        """
        Tables cannot be displayed
        ```
        Table()
        ```
        ```
        File x/IPython/core/formatters.py:343, in BaseFormatter.__call__(self, obj)
        --> 343         return method()
        KeyError: 'columns'
        ```
        """
    )
    assert code(made).endswith("        Table()._repr_html_()\n")


def test_wrong_output_in_a_session_with_what_is_expected_instead(bench: Any) -> None:
    made = bench.candidates(
        """
        total() forgets the first value
        >>> from calc import *
        >>> values = [1, 2, 3]
        >>> total(values)
        5

        The answer should be `6`, of course.
        """
    )
    assert rules(made) == ["output_expected", "output_blamed"]
    assert code(made[0]).endswith("        self.assertEqual(total(values), 6)\n")
    assert code(made[1]).endswith("        self.assertNotEqual(total(values), 5)\n")


def test_output_that_is_reported_but_does_not_come_out_is_nothing(bench: Any) -> None:
    assert bench.candidates("total() is wrong\n>>> total([1, 2, 3])\n4\n") == []


def test_text_over_several_lines_is_compared_as_it_comes_out(bench: Any) -> None:
    (made,) = bench.candidates(
        """
        Points are shown badly
        ```
        In [1]: from calc.shown import Point
        In [2]: Point(3)
        Out[2]:
        Point(3,
          0)
        ```
        """
    )
    assert "self.assertNotEqual(repr(Point(3)), 'Point(3,\\n'" in code(made)
    assert "'Point(3,\\n'\n            '      0)'" in code(made)


def test_of_several_outputs_any_may_be_wrong(bench: Any) -> None:
    made = bench.candidates(
        """
        Totals differ
        >>> values = [0, 2]
        >>> total(values)
        2
        >>> values = [2, 0]
        >>> total(values)
        0
        """
    )
    assert rules(made) == ["output_any", "output_last"]
    first, second = code(made[0]).split("values = [2, 0]")
    assert "shown.append(repr(total(values)))" in first
    assert "shown.append(repr(total(values)))" in second
    assert "'2'" in second


def test_output_that_is_called_right_is_left_alone(bench: Any) -> None:
    (made,) = bench.candidates(
        """
        total() forgets the first value
        ```python
        # This works:
        total([0, 1])  # 1
        # This is wrong:
        total([1, 0])  # 0
        ```
        """
    )
    assert code(made).endswith("        self.assertNotEqual(total([1, 0]), 0)\n")


def test_printed_output_in_a_block_of_its_own(bench: Any) -> None:
    made = bench.candidates(
        """
        total() forgets the first value
        ```python
        print(total([1, 2]))
        print(total([3, 4]))
        ```
        prints
        ```
        2
        4
        ```
        """
    )
    assert "shown.append(str(total([1, 2])))" in code(made[0])


def test_a_comparison_that_is_false_and_should_not_be(bench: Any) -> None:
    (made,) = bench.candidates("total() is wrong\n>>> total([1, 2]) == 3\nFalse\n")
    assert code(made).endswith("        self.assertEqual(total([1, 2]), 3)\n")


def test_a_sentence_that_says_what_is_and_what_should_be(bench: Any) -> None:
    made = bench.candidates("total is wrong\n`total([1, 2])` returns `2` instead of `3`.")
    assert rules(made)[0] == "claimed_expected"
    assert code(made[0]).endswith("        self.assertEqual(total([1, 2]), 3)\n")


def test_a_sentence_that_names_an_exception(bench: Any) -> None:
    (made,) = bench.candidates("Empty means\nCalling `mean([])` raises a `ZeroDivisionError`.")
    assert rules([made]) == ["claimed_crash"]


def test_what_another_version_gave_is_expected(bench: Any) -> None:
    made = bench.candidates(
        """
        total() changed
        In version 1:
        ```
        >>> total([1, 2])
        3
        ```
        In version 2:
        ```
        >>> total([1, 2])
        2
        ```
        """
    )
    assert code(made[0]).endswith("        self.assertEqual(total([1, 2]), 3)\n")


def test_an_assertion_of_the_issue_that_fails(bench: Any) -> None:
    (made,) = bench.candidates(
        """
        total() is wrong
        ```python
        from calc import total

        def test_total():
            assert total([1, 2]) == 3

        test_total()
        ```
        """
    )
    assert rules([made]) == ["own_assertion"]
    assert code(made).endswith("        test_total()\n")


def test_a_refusal_that_the_title_asks_for(bench: Any) -> None:
    made = bench.candidates("total() should fail for nothing\n>>> total([])\n0\n")
    assert rules(made)[0] == "refusal"


def test_warnings_that_a_runner_makes_errors_of_are_let_pass(
    make_bench: Callable[..., Any],
) -> None:
    strict = make_bench("process", {"PYTHONWARNINGS": "error::DeprecationWarning"})
    (made,) = strict.candidates(
        """
        root() is wrong
        ```python
        from calc.numbers import root
        assert root(9) == 4
        ```
        """
    )
    assert "with warnings.catch_warnings():\n            warnings.simplefilter('ignore')" in code(
        made
    )


def test_an_issue_without_code_is_left_alone(bench: Any) -> None:
    assert bench.candidates("Please add a median\nIt would be great.") == []


@pytest.mark.bubblewrap
def test_in_a_sandbox(make_bench: Callable[[str], Any]) -> None:
    issue = CRASH.format(error="ZeroDivisionError: division by zero")
    (made,) = make_bench("bubblewrap").candidates(issue)
    assert rules([made]) == ["crash_shown"]
