from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.loop import ShellCall, calls_of
from generator.loop.replies import LARGEST_SCRIPT, MOST_CALLS
from generator.model.protocol import Message, Reply, ToolCall


def text(content: str, finish: str = "stop") -> ShellCall:
    (call,) = calls_of(Reply(Message("assistant", content), finish_reason=finish), tools=False)
    return call


def tool(arguments: str, name: str = "bash") -> ShellCall:
    message = Message("assistant", "", (ToolCall("1", name, arguments),))
    (call,) = calls_of(Reply(message), tools=True)
    return call


@pytest.mark.parametrize(
    "reply",
    [
        "Look.\n```bash\nls\n```\n",
        "```sh\nls\n```",
        "<think>or ```bash\nrm x\n```?</think>\n```bash\nls\n```",
        "The issue shows\n```python\nx = 1\n```\nso\n````bash\nls\n````",
        "1. Look:\n   ```bash\n   ls\n   ```",
    ],
)
def test_one_bash_block_is_run(reply: str) -> None:
    assert text(reply).script.strip() == "ls"
    assert not text(reply).problem


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "holds no bash block"),
        ("I will look around now.", "holds no bash block"),
        ("```python\nprint(1)\n```", "holds no bash block"),
        ("```bash\nls\n```\n```bash\npwd\n```", "holds 2 bash blocks"),
        ("```bash\nls", "is not closed"),
        ("```bash\n\n```", "is empty"),
        ("```bash\necho \0\n```", "NUL"),
        ("```bash\necho \ud800\n```", "surrogate"),
        (f"```bash\n{'x' * (LARGEST_SCRIPT + 1)}\n```", "bytes"),
    ],
)
def test_what_cannot_be_run_is_told(reply: str, problem: str) -> None:
    assert problem in text(reply).problem


def test_a_reply_that_was_cut_off_is_told_so() -> None:
    assert "cut off" in text("```bash\ncat > tests/test_", finish="length").problem


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"command": "ls', "not valid JSON"),
        ("", "not valid JSON"),
        ("[" * 10_000, "not valid JSON"),
        ('["ls"]', "must be an object"),
        ('{"command": 3}', "must be an object"),
        ('{"cmd": "ls"}', "must be an object"),
        ('{"command": " "}', "is empty"),
        (json.dumps({"command": "echo \ud800"}), "surrogate"),
    ],
)
def test_calls_with_bad_arguments_are_told(arguments: str, problem: str) -> None:
    assert problem in tool(arguments).problem


def test_a_call_of_another_tool_is_told() -> None:
    assert "no tool `python`" in tool("{}", name="python").problem


def test_a_model_with_tools_may_answer_in_text() -> None:
    (call,) = calls_of(Reply(Message("assistant", "```bash\nls\n```")), tools=True)
    assert call.script == "ls\n"
    assert not call.by_tool


def test_every_call_of_many_is_answered_and_few_are_run() -> None:
    asked = tuple(ToolCall(str(n), "bash", '{"command": "ls"}') for n in range(MOST_CALLS + 2))
    calls = calls_of(Reply(Message("assistant", "", asked)), tools=True)
    assert [call.call_id for call in calls] == [call.id for call in asked]
    assert sum(not call.problem for call in calls) == MOST_CALLS


@pytest.mark.parametrize("script", ["submit", "submit\n", "  submit  "])
def test_the_word_submit_ends_the_work(script: str) -> None:
    assert tool(json.dumps({"command": script})).submits
    assert not tool(json.dumps({"command": "echo submit"})).submits


@given(st.text(alphabet="`bash \n~<>think/\0x", max_size=200))
def test_any_text_is_a_script_or_a_problem(content: str) -> None:
    call = text(content)
    assert bool(call.problem) or bool(call.script.strip())


@given(st.text(max_size=100))
def test_any_arguments_are_a_script_or_a_problem(arguments: str) -> None:
    call = tool(arguments)
    assert bool(call.problem) or bool(call.script.strip())
