"""What a command ends with says who has to do something."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import evaluator.commands.verify
from bot.cli import main

ASKED = ["verify", "--base", "main", "--head", "HEAD"]


def test_a_fault_of_fixgate_is_no_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(evaluator.commands.verify, "change_between", fail)
    done = CliRunner().invoke(main, [*ASKED, "--repo", "."])
    assert done.exit_code == 70
    assert "ZeroDivisionError: a fault" in done.stderr


def test_what_the_user_can_mend_is_one_message(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [*ASKED, "--repo", str(tmp_path)])
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr
