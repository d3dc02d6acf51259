"""What a worker leaves behind that is killed with -9, and who removes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from bot.commands.worker import clean_up_after
from bot.settings import settings_from
from evaluator.checkout.scratch import Scratch, fastest_root
from evaluator.sandbox.engine import LABEL, OWNER_LABEL, Owner, engine
from tests.waiting import wait_for

# Works in a tree, in the sandbox and below the root that the arguments name, until it is killed.
AT_WORK = """
import sys
from pathlib import Path, PurePosixPath
from evaluator.checkout.scratch import Scratch
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import Command, Mount
sandbox = choose_sandbox(sys.argv[1])
with Scratch(Path(sys.argv[2])).directory() as tree:
    mount = Mount(tree, PurePosixPath("/srv/tree"), writable=True)
    script = ("sh", "-c", f"touch begun; echo begun; exec sleep {sys.argv[3]}")
    print(tree, flush=True)
    sandbox.run(Command(script, sandbox.location(mount), (mount,)))
"""


def sleepers(seconds):
    sleep = ["sleep", seconds]
    return [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == sleep]


def containers_of(pid):
    with engine() as client:
        found = client.api.containers(all=True, filters={"label": f"{LABEL}=1"})
    owners = (Owner.parse(container["Labels"][OWNER_LABEL]) for container in found)
    return [owner for owner in owners if owner and owner.pid == str(pid)]


@pytest.mark.parametrize(
    "sandbox",
    [
        pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
        pytest.param("docker", marks=pytest.mark.docker),
    ],
)
def test_trees_and_sandboxes_of_a_killed_worker_go_away(tmp_path, sandbox):
    seconds = str(100_000 + os.getpid())  # no other run of the tests sleeps as long
    settings = settings_from({"FIXGATE_DATA_DIRECTORY": str(tmp_path), "FIXGATE_SANDBOX": sandbox})
    root = fastest_root(settings.data / "cache").absolute()
    arguments = [sys.executable, "-c", AT_WORK, sandbox, str(root), seconds]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        tree = Path(worker.stdout.readline().strip())
        wait_for((tree / "begun").exists)
        wait_for(lambda: sleepers(seconds))
        worker.kill()
    assert tree.exists()
    assert sandbox == "bubblewrap" or containers_of(worker.pid)
    clean_up_after(settings)
    # Whoever makes trees beside this test may have begun to remove it, and holds its lock.
    wait_for(lambda: not tree.exists())
    assert sandbox == "bubblewrap" or not containers_of(worker.pid)
    wait_for(lambda: not sleepers(seconds))


def test_what_lives_is_left_alone(tmp_path):
    settings = settings_from({"FIXGATE_DATA_DIRECTORY": str(tmp_path)})
    root = fastest_root(settings.data / "cache").absolute()
    with Scratch(root).directory() as tree:
        clean_up_after(settings)
        assert tree.exists()
