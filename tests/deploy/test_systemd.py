import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.processes import parses

MOST_EXPOSED = 32
"""Tenths, as `systemd-analyze security` counts; a service that hardens nothing has 96."""
BREAKS_BUBBLEWRAP = {
    "MemoryDenyWriteExecute",
    "ProcSubset",
    "ProtectKernelLogs",
    "ProtectKernelTunables",
    "RestrictNamespaces",
}

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed"
)


@pytest.fixture
def unit(deploy: Path, tmp_path: Path) -> Path:
    """The unit, with a program that this machine has."""
    text = (deploy / "systemd" / "fixgate.service").read_text()
    placed = tmp_path / "fixgate.service"
    placed.write_text(text.replace("/opt/fixgate/bin/fixgate", "/bin/true"))
    return placed


def test_is_understood_without_a_warning(unit: Path) -> None:
    environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_exposes_little_but_leaves_bubblewrap_what_it_needs(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager"]
    done = subprocess.run(
        [*command, f"--threshold={MOST_EXPOSED}", unit], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    set_here = set(re.findall(r"^(\w+)=", unit.read_text(), re.MULTILINE))
    assert not set_here & BREAKS_BUBBLEWRAP
    assert "SystemCallFilter=@system-service @mount\n" in unit.read_text()


def test_runs_a_command_that_there_is(deploy: Path) -> None:
    text = (deploy / "systemd" / "fixgate.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    program, *arguments = shlex.split(command)
    assert program == "/opt/fixgate/bin/fixgate"
    assert parses(arguments) == "serve"
