"""The page of a trajectory: all there, escaped, nothing from outside, readable on a phone."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import subprocess

import pytest
from click.testing import CliRunner

from bot.cli import main
from generator.model.protocol import Message, ToolCall
from generator.trajectory.page import render, write_page
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import TrajectoryRecorder

HOSTILE = (
    "</p></details><script>document.title='owned'</script>"
    '"><img src=x onerror="document.title=1">{{ 7 * 7 }}&amp;\u202eevil\x1b[31m'
)


@pytest.fixture
def recorder(tmp_path):
    spent = {"instance_cost": 0.0123, "api_calls": 2, "input_tokens": 1234, "output_tokens": 56}
    facts = {"instance_id": "django__django-11001", "method": "agent"}
    return TrajectoryRecorder(tmp_path / "one.traj.json", facts, statistics=lambda: spent)


def page_of(recorder) -> str:
    return render(read_trajectory(recorder.path)).decode()


def visible_text(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page.split("<body>")[1]))


def test_everything_that_was_said_is_there(recorder):
    recorder.message(Message("system", "You are careful."))
    recorder.message(Message("user", "Reproduce the issue."))
    call = ToolCall("c1", "bash", json.dumps({"command": "pytest -x\nls"}))
    recorder.message(Message("assistant", "I look around.", (call,)), {"cost": 0.01234})
    recorder.message(Message("tool", "1 failed\nE assert", tool_call_id="c1"), {"exit_code": 1})
    recorder.note("admitted: it fails", {"patch": "--- a\n+++ b"})
    recorder.finish("submitted", "the final patch", {"reason": "fails as reported"})
    text = visible_text(page_of(recorder))
    for said in (
        "django__django-11001",
        "You are careful.",
        "Reproduce the issue.",
        "I look around.",
        "pytest -x\nls",
        "1 failed\nE assert",
        "exit code: 1",
        "cost: 0.01234",
        "admitted: it fails",
        "--- a\n+++ b",
        "the final patch",
        "fails as reported",
        "2 calls, 1,234 input tokens, 56 output tokens, $0.0123",
    ):
        assert said in text, said


def test_results_are_folded_and_their_first_line_stands_for_them(recorder):
    recorder.message(Message("tool", "first line\n" + "more\n" * 50, tool_call_id="c1"))
    page = page_of(recorder)
    (summary,) = re.findall(r"<summary>(first line[^<]*)</summary>", page)
    assert summary == "first line (51 lines)"
    assert "<details open" not in page


def test_conversations_are_told_apart_where_there_are_several(recorder):
    recorder.message(Message("user", "a"), {"conversation": 1})
    assert "conversation 1" not in page_of(recorder)
    recorder.message(Message("user", "b"), {"conversation": 2})
    assert "conversation 2" in page_of(recorder)


def test_an_unfinished_trajectory_has_a_page(recorder):
    assert "unfinished" in visible_text(page_of(recorder))


def test_a_price_that_is_not_known_is_said(tmp_path):
    spent = {"instance_cost": None, "api_calls": 2}
    recorder = TrajectoryRecorder(tmp_path / "x.traj.json", {}, statistics=lambda: spent)
    assert "2 calls, at a price that is not known" in page_of(recorder)


def test_hostile_text_is_shown_and_does_nothing(recorder):
    call = ToolCall(HOSTILE, HOSTILE, HOSTILE)
    for role in ("system", "user", "tool"):
        recorder.message(Message(role, HOSTILE), {HOSTILE: HOSTILE})
    recorder.message(Message("assistant", HOSTILE, (call,)), {"patch": f"{HOSTILE}\n{HOSTILE}"})
    recorder.note(HOSTILE)
    recorder.finish(HOSTILE, HOSTILE, {"reason": HOSTILE})
    page = page_of(recorder)
    assert "<script" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "{{ 7 * 7 }}" in page
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html.unescape(page)


def test_the_largest_texts_are_cut_and_that_is_said(recorder):
    recorder.message(Message("tool", "x" * 300_000, tool_call_id="c1"))
    page = page_of(recorder)
    assert len(page) < 200_000
    assert "and 200000 more characters" in page


def test_the_command_writes_a_page_beside_each_trajectory(recorder, tmp_path):
    recorder.note("hello")
    TrajectoryRecorder(tmp_path / "two.traj.json", {})
    done = CliRunner().invoke(main, ["trajectory", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert done.output.split() == [str(tmp_path / "one.html"), str(tmp_path / "two.html")]
    assert "hello" in (tmp_path / "one.html").read_text()


def test_the_command_says_where_there_is_none(tmp_path):
    done = CliRunner().invoke(main, ["trajectory", str(tmp_path)])
    assert done.exit_code == 2
    assert "no *.traj.json is in" in done.output


MEASURE = """<script>
for (const item of document.querySelectorAll("details")) item.open = true;
parent.postMessage(JSON.stringify([document.documentElement.scrollWidth, innerWidth]), "*");
</script>"""
FRAME = """<!doctype html><script>onmessage = (event) => { document.title = event.data; };</script>
<iframe src="open.html" width="360" height="800" frameborder="0"></iframe>"""


@pytest.mark.browser
def test_in_a_browser_the_page_fits_a_phone(recorder, tmp_path):
    call = ToolCall("c1", "bash", json.dumps({"command": "python -m pytest " + "x" * 300}))
    recorder.message(Message("assistant", "word" * 300, (call,)), {"a": "b" * 200})
    recorder.message(Message("tool", "y" * 4000, tool_call_id="c1"))
    recorder.finish("submitted", "z" * 500)
    write_page(tmp_path / "page.html", read_trajectory(recorder.path))
    text = (tmp_path / "page.html").read_text()
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    (tmp_path / "open.html").write_text(free.replace("</body>", MEASURE + "</body>"))
    (tmp_path / "frame.html").write_text(FRAME)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000"]
    done = subprocess.run(
        [
            "chromium",
            *flags,
            f"--user-data-dir={tmp_path}/profile",
            "--allow-file-access-from-files",
            "--dump-dom",
            f"file://{tmp_path}/frame.html",
        ],
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    assert title is not None
    content, window = json.loads(title[1])
    assert content <= window == 360
