"""Whatever somebody writes in an issue, reading it takes seconds at most."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.admission.match import match
from evaluator.admission.match import read_report as read_for_admission
from evaluator.issue_text import LONGEST_ISSUE, LONGEST_LINE, MOST_LINES, bounded
from evaluator.languages.python import PYTHON
from evaluator.model import Failure, Status, TestOutcome
from generator.languages.python.notation import NOTATION
from generator.report_text import read_report
from tests.sources import source_of

CHARACTERS = 5_000_000
MOST_SECONDS = 10.0
"""Of processor time, which a busy machine does not stretch much."""
UNITS = (
    *("`", "```\n", "~~~\n", "a", "a.", "_", "(", "f(", "[", '"', "'", "\\", " ", "\n", "\t", "#"),
    *(
        "> ",
        ">>> a\n",
        ">>> f(\n",
        "... a\n",
        "In [1]: a\n",
        "Out[1]: ",
        "- ",
        "*",
        "|",
        "<",
        "<!--",
    ),
    *("Error: ", "ValueError: a\n", "a.Error", "Traceback (most recent call last):\n", "x.py", "/"),
    *(
        "should be `",
        "`f(1)` ",
        "instead of ",
        "$ a\n",
        "Output:\n",
        "é",
        "\0",
        "def f():\n",
        "# a\n",
    ),
)


@pytest.mark.parametrize("unit", ["`", "a", "\n", "\t", "Error: "])
def test_five_megabytes_of_the_same(unit: str) -> None:
    assert seconds(unit * (CHARACTERS // len(unit))) < MOST_SECONDS


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.sampled_from(UNITS), min_size=1, max_size=4), st.sampled_from(["", "`", "```\n"])
)
def test_anything_repeated(units: list[str], before: str) -> None:
    unit = "".join(units)
    assert seconds(before + unit * (LONGEST_ISSUE // len(unit))) < MOST_SECONDS


def seconds(issue: str) -> float:
    """The processor time that all readers of an issue take."""
    started = time.process_time()
    read_report(issue, NOTATION)
    failure = Failure("ValueError", issue[:4000])
    outcome = TestOutcome("t.py::test_it", "t.py", Status.FAILED, failure=failure)
    match(outcome, read_for_admission(issue, PYTHON), source_of({}))
    return time.process_time() - started


@given(st.text(alphabet="ab\n"))
def test_what_people_write_is_read_whole(issue: str) -> None:
    assert bounded(issue) == issue


def test_so_much_is_read() -> None:
    assert len(bounded("a" * CHARACTERS)) == LONGEST_LINE
    assert bounded("\n" * CHARACTERS).count("\n") == MOST_LINES - 1
    assert len(bounded("word\n" * CHARACTERS)) <= LONGEST_ISSUE
