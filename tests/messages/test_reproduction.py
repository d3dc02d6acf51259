"""The comment on an issue."""

from __future__ import annotations

import pytest

from bot.messages.comments import issue_marker, reproduction, working
from bot.messages.markdown import LONGEST_TEXT
from generator.writer import WritingExit, Written

PATCH = "diff --git a/tests/test_a.py b/tests/test_a.py\n+```\n+@octocat\n"


def test_a_test_is_shown_with_reason_confidence_and_command():
    written = Written(PATCH, "fails with ValueError, as reported", WritingExit.SUBMITTED, 0.82)
    text = reproduction(12, written, commit="a" * 40, command="python -m pytest tests/test_a.py")
    assert text.startswith(issue_marker(12))
    assert "````diff" in text
    assert "Confidence: 82 %" in text
    assert f"git fetch origin && git switch --detach {'a' * 40}\ngit apply <<'END_OF_TEST'" in text
    assert text.count("python -m pytest tests/test_a.py") == 1


def test_an_abstention_says_what_would_help():
    written = Written("", "no code; ask @octocat", WritingExit.ABSTAINED)
    text = reproduction(12, written, commit="a" * 40, command="")
    assert "could not reproduce" in text
    assert "I found no runnable example in the report" in text
    assert "@octocat" not in text
    assert "/fixgate reproduce" in text


@pytest.mark.parametrize("size", [10_000, 100_000, 1_000_000])
def test_a_comment_fits(size):
    written = Written("+" * size, "x" * size, WritingExit.SUBMITTED, 0.4)
    assert len(reproduction(1, written, commit="a" * 40, command="y" * size)) <= LONGEST_TEXT


def test_work_is_announced_under_the_same_marker():
    assert working(12).startswith(issue_marker(12))
