"""What the terminal shows: figures, reasons, and nothing but plain text where nobody looks."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from evaluator.model import Evaluation, State
from evaluator.report.terminal import print_replay


@pytest.fixture
def shown():
    """A function that renders `print_…` calls, as a terminal of 100 columns or as a plain file."""

    def render(show, *arguments, terminal: bool = False) -> str:
        stream = io.StringIO()
        console = Console(file=stream, force_terminal=terminal, width=100 if terminal else None)
        show(console, *arguments)
        return stream.getvalue()

    return render


def test_a_replay_is_a_row_for_each_prediction(shown, make_results):
    text = shown(print_replay, make_results({"gold": 1.0, "zero-shot": 0.2}, 60))
    rows = [line.split() for line in text.splitlines()]
    assert rows[0][:4] == ["prediction", "ran", "W", "S"]
    assert rows[1][0] == "gold"
    assert rows[1][2:5] == ["100.0", "100.0", "100.0"]
    assert rows[2][0] == "zero-shot"
    assert "\x1b" not in text


def test_what_did_not_run_is_told_with_its_reason(shown):
    failed = Evaluation(
        "a__b-1", "gold", State.ENVIRONMENT_ERROR, reasons=("no\nwheel [of] numpy",)
    )
    text = shown(print_replay, {"gold": [failed, Evaluation("a__b-2", "gold", State.GRADED)]})
    assert "environment_error" in text
    assert "a__b-1: no wheel [of] numpy" in text
    assert "S 0.0 [0.0, 0.0] of 1 that ran, 0.0 of all 2" in text


def test_no_results_are_no_error(shown):
    assert "-" in shown(print_replay, {"gold": []})


def test_a_terminal_gets_colours_and_its_own_width(shown, make_results):
    text = shown(print_replay, make_results({"gold": 1.0}, 30), terminal=True)
    assert "\x1b[" in text
    assert max(len(line) for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()) <= 100
