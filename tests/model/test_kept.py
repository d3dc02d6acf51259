"""Replies that are kept, recorded and played again; scripts."""

from __future__ import annotations

import json
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.errors import InputError
from generator.errors import ModelRefusedError
from generator.model.choosing import ModelSettings, model_from
from generator.model.protocol import Message, Parameters, Reply, TokenUsage, Tool, ToolCall
from generator.model.recording import CachedModel, RecordingModel, ReplayingModel
from generator.model.scripted import ScriptedModel, scripted_from

QUESTION = (Message("system", "be brief"), Message("user", "what is 6 x 7?"))
ANYHOW = Parameters()
BASH = Tool("bash", "run a command", {"type": "object", "properties": {"a": {"type": "string"}}})
CALL = Message("assistant", "look", (ToolCall("c1", "bash", '{"a": "ls \udc80"}'),))


class Counting:
    """A model that counts how often it is asked, and answers with the count."""

    name = "counting"
    calls_tools = True

    def __init__(self):
        self.asked = 0
        self._lock = threading.Lock()

    def reply(self, messages, parameters, tools=()):
        with self._lock:
            self.asked += 1
            return Reply(Message("assistant", f"reply {self.asked}"), TokenUsage(5, 1))


def test_the_same_question_is_asked_once(tmp_path):
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    first = model.reply(QUESTION, ANYHOW, [BASH])
    second = CachedModel(inner, tmp_path).reply(QUESTION, ANYHOW, [BASH])
    assert inner.asked == 1
    assert (first.cached, second.cached) == (False, True)
    assert (first.message, first.usage) == (second.message, second.usage)


@pytest.mark.parametrize(
    ("messages", "parameters", "tools"),
    [
        (QUESTION[1:], ANYHOW, []),
        (QUESTION, Parameters(temperature=0.7), []),
        (QUESTION, Parameters(sample=1), []),
        (QUESTION, Parameters(max_tokens=1), []),
        (QUESTION, ANYHOW, [BASH]),
    ],
)
def test_any_other_question_is_asked_anew(tmp_path, messages, parameters, tools):
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    model.reply(QUESTION, ANYHOW)
    model.reply(messages, parameters, tools)
    assert inner.asked == 2


def test_endpoints_that_share_a_name_are_kept_apart(tmp_path):
    inner = Counting()
    CachedModel(inner, tmp_path, scope="http://a").reply(QUESTION, ANYHOW)
    CachedModel(inner, tmp_path, scope="http://b").reply(QUESTION, ANYHOW)
    assert inner.asked == 2


def test_whoever_asks_meanwhile_waits_for_the_reply(tmp_path):
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda _: model.reply(QUESTION, ANYHOW), range(24)))
    assert inner.asked == 1
    assert sum(not reply.cached for reply in replies) == 1


def _ask_from_another_process(directory):
    return CachedModel(ScriptedModel([f"{id(object())}"]), directory).reply(QUESTION, ANYHOW)


def test_processes_share_a_cache(tmp_path):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        replies = pool.map(_ask_from_another_process, [tmp_path] * 3)
    assert len({reply.message for reply in replies}) == 1
    assert sum(not reply.cached for reply in replies) == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"message": 1}', b"\xff"])
def test_a_kept_reply_that_cannot_be_read_is_asked_for_anew(tmp_path, content):
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    model.reply(QUESTION, ANYHOW)
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(content)
    assert not model.reply(QUESTION, ANYHOW).cached
    assert model.reply(QUESTION, ANYHOW).cached


def test_a_failure_is_not_kept(tmp_path):
    model = CachedModel(ScriptedModel([]), tmp_path)
    for _ in range(2):
        with pytest.raises(ModelRefusedError):
            model.reply(QUESTION, ANYHOW)
    assert not list(tmp_path.rglob("*.json"))


def recorded(path, script=("first", CALL, "third")):
    model = RecordingModel(ScriptedModel(script, name="gpt-x", calls_tools=True), path)
    return [
        model.reply(QUESTION, ANYHOW),
        model.reply(QUESTION, Parameters(sample=1), [BASH]),
        model.reply((*QUESTION, CALL), ANYHOW),
    ]


def test_a_recording_is_played_in_any_order(tmp_path):
    path = tmp_path / "one.jsonl"
    first, second, third = recorded(path)
    model = ReplayingModel(path)
    assert (model.name, model.calls_tools) == ("gpt-x", True)
    assert model.reply((*QUESTION, CALL), ANYHOW).message == third.message
    assert model.reply(QUESTION, Parameters(sample=1), [BASH]).message == second.message
    again = model.reply(QUESTION, ANYHOW)
    assert (again.message, again.usage, again.cached) == (first.message, first.usage, True)


def test_the_same_question_gets_its_replies_in_their_order(tmp_path):
    path = tmp_path / "one.jsonl"
    recording = RecordingModel(ScriptedModel(["a", "b"]), path)
    for _ in range(2):
        recording.reply(QUESTION, ANYHOW)
    model = ReplayingModel(path)
    said = [model.reply(QUESTION, ANYHOW).message.content for _ in range(3)]
    assert said == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("messages", "parameters", "told"),
    [
        (
            (QUESTION[0], Message("user", "what is 6 x 8?")),
            ANYHOW,
            r"message 2 \(user\) differs from character 12 on: .*6 x 7.*6 x 8",
        ),
        ((Message("system", "be long"), QUESTION[1]), ANYHOW, r"message 1 \(system\)"),
        ((*QUESTION, Message("user", "more")), ANYHOW, r"message 3 was not there \(user\)"),
        (QUESTION[:1], ANYHOW, r"message 2 is missing \(user\)"),
        (QUESTION, Parameters(temperature=0.5), r"parameters were .*0\.0.*and are .*0\.5"),
    ],
)
def test_a_question_that_was_not_recorded_is_told_apart(tmp_path, messages, parameters, told):
    path = tmp_path / "one.jsonl"
    recorded(path)
    with pytest.raises(ModelRefusedError, match=rf"one.jsonl: was not asked this: .*{told}"):
        ReplayingModel(path).reply(messages, parameters)


def test_a_line_that_a_kill_cut_short_is_passed_over_and_written_over(tmp_path):
    path = tmp_path / "one.jsonl"
    recorded(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert ReplayingModel(path).reply(QUESTION, ANYHOW).message.content == "first"
    RecordingModel(ScriptedModel(["more"]), path).reply(QUESTION[:1], ANYHOW)
    lines = path.read_text().splitlines()
    assert [json.loads(line)["reply"]["message"]["content"] for line in lines] == [
        "first",
        "look",
        "more",
    ]


def test_threads_share_a_recording(tmp_path):
    path = tmp_path / "one.jsonl"
    models = [RecordingModel(Counting(), path) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: models[n % 4].reply(QUESTION, Parameters(sample=n)), range(40)))
    model = ReplayingModel(path)
    for number in range(40):
        assert model.reply(QUESTION, Parameters(sample=number)).cached


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no conversation is recorded"),
        ("{\n", "line 1: is no JSON"),
        ('{"model": "m"}\n', "line 1: has no messages, parameters, reply, tools"),
        (
            '{"model": "m", "parameters": {}, "tools": [], "messages": [], "reply": {}}\n',
            "line 1: `reply` cannot be read",
        ),
    ],
)
def test_a_recording_that_cannot_be_read_is_named_with_the_line(tmp_path, text, told):
    path = tmp_path / "one.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"one.jsonl.*{told}"):
        ReplayingModel(path)


def test_a_script_says_its_lines_and_then_nothing():
    model = ScriptedModel(["one", CALL])
    assert model.reply(QUESTION, ANYHOW).message == Message("assistant", "one")
    second = model.reply(QUESTION, ANYHOW)
    assert (second.message, second.finish_reason) == (CALL, "tool_calls")
    with pytest.raises(ModelRefusedError, match="the script has no reply number 3"):
        model.reply(QUESTION, ANYHOW)


def test_a_function_may_answer():
    model = ScriptedModel(lambda messages, *_: messages[-1].content.upper())
    assert model.reply(QUESTION, ANYHOW).message.content == "WHAT IS 6 X 7?"


def test_a_script_may_be_in_parts_for_tasks_side_by_side():
    model = ScriptedModel({"6 x 7": ["42", "still 42"], "6 x 8": ["48"]})

    def ask(text):
        return model.reply([Message("user", text)], ANYHOW).message.content

    said = [ask(text) for text in ("what is 6 x 8?", "what is 6 x 7?", "6 x 7 again")]
    assert said == ["48", "42", "still 42"]
    with pytest.raises(ModelRefusedError, match="has no reply number 2 to '6 x 8'"):
        ask("6 x 8")
    with pytest.raises(ModelRefusedError, match="nothing to say"):
        ask("what else?")


SCRIPT = """
- plain text
- content: let me look
  tool_calls:
    - name: bash
      arguments: '{"command": "ls"}'
"""


def test_a_file_can_be_played(tmp_path):
    path = tmp_path / "script.yaml"
    path.write_text(SCRIPT)
    chosen = model_from(ModelSettings(f"scripted:{path}"), {})
    assert chosen.price is not None
    assert chosen.price.of(TokenUsage(10, 10)) == 0
    assert chosen.model.calls_tools
    assert chosen.model.reply(QUESTION, ANYHOW).message.content == "plain text"
    (call,) = chosen.model.reply(QUESTION, ANYHOW).message.tool_calls
    assert (call.name, call.arguments) == ("bash", '{"command": "ls"}')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no YAML"),
        ("just a text", "a list of replies was expected"),
        ("a: text", "'a': a list of replies was expected"),
        ("- 7", "reply 1: a text, or an object"),
        ("- tool_calls: bash", "reply 1: a text, or an object"),
        ("- tool_calls: [{name: bash, arguments: {}}]", "reply 1: a tool call has"),
    ],
)
def test_a_script_that_cannot_be_read_is_named_with_the_place(tmp_path, text, told):
    path = tmp_path / "script.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"script.yaml.*{told}"):
        scripted_from(path)


@pytest.mark.parametrize("name", ["scripted:nowhere", "replay:nowhere"])
def test_a_file_that_is_not_there_is_named(name):
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        model_from(ModelSettings(name), {})


def test_a_recording_is_played_by_name_and_costs_nothing(tmp_path):
    path = tmp_path / "one.jsonl"
    recorded(path)
    chosen = model_from(ModelSettings(f"replay:{path}"), {})
    assert chosen.model.reply(QUESTION, ANYHOW).message.content == "first"
    assert chosen.price is not None
    assert chosen.price.of(TokenUsage(10, 10)) == 0
