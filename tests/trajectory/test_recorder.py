"""Trajectories on disk: whole after every step and every kill, and readable by others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.errors import InputError
from generator.model.protocol import Message, ToolCall
from generator.trajectory.reading import TrajectoryEntry, read_trajectory
from generator.trajectory.recorder import TrajectoryRecorder

CALL = ToolCall("c1", "bash", '{"command": "ls"}')


def test_every_step_is_on_disk_at_once(tmp_path):
    path = tmp_path / "deep" / "one.traj.json"
    recorder = TrajectoryRecorder(path, {"instance_id": "a__b-1"})
    assert read_trajectory(path).entries == ()
    recorder.message(Message("user", "hello"))
    assert [e.content for e in read_trajectory(path).entries] == ["hello"]
    recorder.note("found something", {"patch": "diff"})
    last = read_trajectory(path).entries[-1]
    assert (last.role, last.content, last.extra["patch"]) == ("note", "found something", "diff")
    assert read_trajectory(path).exit_status == "unfinished"
    recorder.finish("submitted", "the patch", {"reason": "it fails"})
    ended = read_trajectory(path)
    assert (ended.exit_status, ended.submission) == ("submitted", "the patch")
    assert (ended.info["reason"], ended.info["instance_id"]) == ("it fails", "a__b-1")


def test_the_file_has_the_shape_that_others_read(tmp_path):
    path = tmp_path / "one.traj.json"
    spent = {"instance_cost": 0.25, "api_calls": 2}
    recorder = TrajectoryRecorder(path, {}, statistics=lambda: spent)
    recorder.message(Message("assistant", "look", (CALL,)), {"cost": 0.25})
    recorder.message(Message("tool", "README", tool_call_id="c1"))
    document = json.loads(path.read_text())
    assert set(document) == {"info", "messages", "trajectory_format"}
    assert document["trajectory_format"] == "mini-swe-agent-1.1"
    assert document["info"] == {
        "model_stats": spent,
        "exit_status": "unfinished",
        "submission": "",
    }
    call, result = document["messages"]
    assert call["tool_calls"][0]["function"] == {"name": "bash", "arguments": '{"command": "ls"}'}
    assert call["extra"]["cost"] == 0.25
    assert (result["role"], result["tool_call_id"]) == ("tool", "c1")


def test_any_text_can_be_kept(tmp_path):
    recorder = TrajectoryRecorder(tmp_path / "one.traj.json", {"odd": "\udc80"})
    recorder.message(Message("user", "grüezi \udc80 \x00 \u202e 日本"), {"raw": "\ud800"})
    recorder.note("\udfff")
    text = read_trajectory(recorder.path).entries[0].content
    assert text == "grüezi ? \x00 \u202e 日本"


def test_threads_may_share_a_recorder(tmp_path):
    recorder = TrajectoryRecorder(tmp_path / "one.traj.json", {})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: recorder.note(str(n)), range(80)))
    kept = {entry.content for entry in read_trajectory(recorder.path).entries}
    assert kept == {str(n) for n in range(80)}


WRITER = """
import sys
from pathlib import Path
from generator.model.protocol import Message
from generator.trajectory.recorder import TrajectoryRecorder

recorder = TrajectoryRecorder(Path(sys.argv[1]), {"instance_id": "killed"})
print("ready", flush=True)
for number in range(1_000_000):
    recorder.message(Message("user", f"{number} " + "x" * 20_000))
    print(number, flush=True)
"""


def test_a_kill_at_any_moment_leaves_a_readable_file(tmp_path):
    for attempt in range(6):
        path = tmp_path / f"{attempt}.traj.json"
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            for _ in range(1 + 7 * attempt):
                process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
        saved = read_trajectory(path)
        assert saved.exit_status == "unfinished"
        numbers = [int(entry.content.split()[0]) for entry in saved.entries]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) >= 7 * attempt


def test_what_mini_swe_agent_writes_can_be_read(tmp_path):
    path = tmp_path / "mini.traj.json"
    document = {
        "info": {"exit_status": "Submitted", "submission": "diff", "mini_version": "2.0.0"},
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"text": "b"}]},
            {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "bash"}}]},
            {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }
    path.write_text(json.dumps(document))
    saved = read_trajectory(path)
    assert (saved.exit_status, saved.submission) == ("Submitted", "diff")
    assert saved.entries[:2] == (
        TrajectoryEntry("user", "ab"),
        TrajectoryEntry("assistant", "", (("bash", ""),)),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "has no list `messages`"),
        ('{"messages": {}}', "has no list `messages`"),
        ('{"messages": [{"role": "user"}, 7]}', "message 1: is no message"),
        ('{"messages": [{"content": "x"}]}', "message 0: is no message"),
    ],
)
def test_what_is_no_trajectory_is_named_with_the_place(tmp_path, text, told):
    path = tmp_path / "one.traj.json"
    path.write_text(text)
    with pytest.raises(InputError, match=f"one.traj.json.*{told}"):
        read_trajectory(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_trajectory(tmp_path / "none.traj.json")
