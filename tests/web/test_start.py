"""What keeps a process from starting is said in one line, with what to do about it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from evaluator.storage import DirectoryLock
from tests.web.conftest import SECRET


def refused(data, *options, **environment):
    """The one line with which `fixgate serve` ends."""
    given = {
        "PATH": os.environ["PATH"],
        "FIXGATE_DATA_DIRECTORY": str(data),
        "FIXGATE_WEBHOOK_SECRET": SECRET,
        "FIXGATE_DASHBOARD_TOKEN": "the-token-of-the-dashboard",
        **environment,
    }
    command = [sys.executable, "-m", "bot", "serve", *options]
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


@pytest.mark.parametrize("options", [(), ("--embedded",)])
def test_a_port_that_is_in_use(tmp_path, options):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        line = refused(tmp_path, *options, FIXGATE_PORT=port)
    assert f"port {port} of 127.0.0.1 is in use" in line
    assert "FIXGATE_PORT" in line


def test_an_address_of_another_machine(tmp_path):
    line = refused(tmp_path, FIXGATE_HOST="192.0.2.1")
    assert "cannot listen at 192.0.2.1, port 8000" in line


def test_a_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    line = refused(tmp_path / "file" / "data")
    assert f"{tmp_path}/file/data cannot be used: Not a directory" in line
    assert "FIXGATE_DATA_DIRECTORY" in line


def test_a_directory_that_cannot_be_written(tmp_path):
    """/proc/self/fd is one, even for root."""
    assert "cannot be used" in refused("/proc/self/fd", "--embedded")


def test_a_database_that_cannot_be_opened(tmp_path):
    line = refused(tmp_path, FIXGATE_DATABASE_URL=f"sqlite:///{tmp_path}/none/store.db")
    assert "the database cannot be opened" in line
    assert "FIXGATE_DATABASE_URL" in line


def test_a_second_one_with_the_same_directory(tmp_path):
    with DirectoryLock.at_once(tmp_path):
        line = refused(tmp_path, "--embedded")
    assert f"another `fixgate serve --embedded` runs with {tmp_path}" in line
