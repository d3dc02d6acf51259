from __future__ import annotations

import pytest

from generator.issue_only.django.reading import read_ticket
from generator.issue_only.django.shown import Shown, shown_under


def shown(text: str) -> list[Shown]:
    return list(shown_under(read_ticket(f"Title\n{text}").statements[-1]))


@pytest.mark.parametrize(
    ("text", "actual", "expected"),
    [
        ("f(1)\n# Out: b'x'\n# This is not correct, I am expecting b'y'", "b'x'", "b'y'"),
        ("f(1)\n# expected output\n'y'\n# actual output\n'x'", "'x'", "'y'"),
        ("f(1)\noutput: __a-b", "__a-b", ""),
        ("print(f(1)) #>>> 42.10", "42.10", ""),
        (">>> f(1)\n{'a': 1,\n 'b': 2}\nprose", "{'a': 1, 'b': 2}", ""),
        (">>> f(1)\n<Q: ()>", "<Q: ()>", ""),
        ("print(q.query)\nSELECT 1 FROM x", "SELECT 1 FROM x", ""),
    ],
)
def test_values_that_are_shown(text: str, actual: str, expected: str) -> None:
    (found,) = shown(text)
    assert (found.actual, found.expected) == (actual, expected)


@pytest.mark.parametrize(
    "text",
    [
        "f(1)\nThis is what I do.",
        ">>> f(1)\nTraceback (most recent call last):\n...",
        "f(1)\n# then",
    ],
)
def test_nothing_is_shown(text: str) -> None:
    assert not shown(text)


def test_how_words_judge_a_value() -> None:
    (wrong,) = shown("f(1)\n# Out: 'x'\n# This is not correct")
    (right,) = shown("f(1)\n# Out: 'x'\n# This is correct")
    assert (wrong.wrong, wrong.right) == (True, False)
    assert (right.wrong, right.right) == (False, True)
