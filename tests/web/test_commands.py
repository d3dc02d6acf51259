"""The commands by themselves: what they say where something is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bot.cli import main


@pytest.mark.parametrize(
    ("command", "missing"), [("minter", "app.json"), ("sweep", "FIXGATE_MINTER_SECRET")]
)
def test_what_is_missing_is_said_without_a_traceback(tmp_path, command, missing):
    arguments = [sys.executable, "-m", "bot", command]
    environment = {"PATH": os.environ["PATH"], "FIXGATE_DATA_DIRECTORY": str(tmp_path)}
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert missing in done.stderr
    assert "Traceback" not in done.stderr


def test_all_commands_are_there():
    listed = CliRunner().invoke(main, ["--help"]).output
    for name in ("serve", "worker", "sweep", "minter"):
        assert re.search(rf"^  {name} ", listed, re.MULTILINE), name
