"""A conversation that is killed goes on where it was: what was answered is not asked again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from generator.trajectory.reading import read_trajectory

from .conftest import says

CONVERSATION = """
import sys
from pathlib import Path
from generator.costs import CostTracker, Budget
from generator.model.tracked import TrackedModel
from generator.model.choosing import ModelSettings, model_from
from generator.model.protocol import Message, Parameters
from generator.trajectory.recorder import TrajectoryRecorder

url, folder = sys.argv[1], Path(sys.argv[2])
chosen = model_from(ModelSettings("gpt-4o", url, cache=folder / "replies"))
account = CostTracker(Budget())
recorder = TrajectoryRecorder(
    folder / "one.traj.json", {}, statistics=lambda: account.spending.statistics()
)
model = TrackedModel(chosen.model, account, recorder, chosen.price)
messages = [Message("user", "count")]
for turn in range(6):
    messages += [model.reply(messages, Parameters()).message, Message("user", f"turn {turn}")]
recorder.finish("submitted")
"""


def _start(provider, tmp_path):
    command = [sys.executable, "-c", CONVERSATION, provider.url, str(tmp_path)]
    return subprocess.Popen(command, env={**os.environ, "FIXGATE_API_KEY": "sk-0123456789"})


def test_after_a_kill_only_what_was_not_answered_is_asked(play, tmp_path):
    provider = play(lambda request: says(f"reply to {len(request['messages'])} messages"))
    with _start(provider, tmp_path) as process:
        while len(provider.requests) < 3:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
    before = read_trajectory(tmp_path / "one.traj.json")
    assert before.exit_status == "unfinished"
    answered = len(list((tmp_path / "replies").rglob("*.json")))
    asked = len(provider.requests)
    assert answered >= 2
    with _start(provider, tmp_path) as process:
        assert process.wait() == 0
    assert len(provider.requests) - asked == 6 - answered
    after = read_trajectory(tmp_path / "one.traj.json")
    assert after.exit_status == "submitted"
    assert after.info["model_stats"]["cached_calls"] == answered
    said = [entry.content for entry in after.entries if entry.role == "assistant"]
    assert said == [f"reply to {n} messages" for n in range(1, 12, 2)]
    assert [e.content for e in before.entries] == [e.content for e in after.entries][
        : len(before.entries)
    ]
