"""Anthropic's own protocol through its own package, against a real HTTP server."""

from __future__ import annotations

import importlib.util
import json

import pytest

from generator.errors import ContextTooLongError, ModelRefusedError, ModelUnavailableError
from generator.model import anthropic_model
from generator.model.protocol import Message, Parameters, Tool, ToolCall

from .conftest import KEY, QUICK, Act, endpoint, refuses

# It is looked for, and not imported: that takes a second of each process that collects tests.
if importlib.util.find_spec("anthropic") is None:
    pytest.skip("the extra `anthropic` is not installed", allow_module_level=True)

QUESTION = (Message("system", "be brief"), Message("user", "what is 6 x 7?"))
ANYHOW = Parameters()
BASH = Tool("bash", "run a command", {"type": "object", "properties": {}})


def event(kind, **document):
    text = json.dumps({"type": kind, **document})
    return f"event: {kind}\ndata: {text}\n\n".encode()


START = event(
    "message_start",
    message={
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": "claude-test",
        "stop_reason": None,
        "usage": {
            "input_tokens": 5,
            "cache_read_input_tokens": 100,
            "cache_creation_input_tokens": 20,
            "output_tokens": 1,
        },
    },
)
STOP = event("message_stop")


def text_block(index, *texts):
    block = {"type": "text", "text": ""}
    yield event("content_block_start", index=index, content_block=block)
    for text in texts:
        change = {"type": "text_delta", "text": text}
        yield event("content_block_delta", index=index, delta=change)
    yield event("content_block_stop", index=index)


def call_block(index, identity, name, *jsons):
    block = {"type": "tool_use", "id": identity, "name": name, "input": {}}
    yield event("content_block_start", index=index, content_block=block)
    for part in jsons:
        change = {"type": "input_json_delta", "partial_json": part}
        yield event("content_block_delta", index=index, delta=change)
    yield event("content_block_stop", index=index)


def ends(reason):
    return event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 7})


def says(*texts, reason="end_turn"):
    return Act(parts=[START, event("ping"), *text_block(0, *texts), ends(reason), STOP])


def model_at(url):
    address = url.removesuffix("/v1")
    return anthropic_model.AnthropicModel("claude-test", endpoint(address), retry_policy=QUICK)


def ask(provider, messages=QUESTION, tools=()):
    return model_at(provider.url).reply(messages, ANYHOW, tools)


def test_a_reply_is_put_together_from_its_events(play):
    reply = ask(play(says("forty", "-two")))
    assert reply.message == Message("assistant", "forty-two")
    assert reply.finish_reason == "stop"


def test_tokens_that_were_remembered_or_written_count_as_input(play):
    usage = ask(play(says("x"))).usage
    assert (usage.input_tokens, usage.output_tokens) == (125, 7)
    assert (usage.cached_tokens, usage.written_tokens) == (100, 20)


def test_calls_of_tools_are_put_together(play):
    parts = [*text_block(0, "look"), *call_block(1, "a", "bash", '{"comm', 'and": "ls"}')]
    reply = ask(play(Act(parts=[START, *parts, ends("tool_use"), STOP])), tools=[BASH])
    assert reply.finish_reason == "tool_calls"
    assert reply.message == Message(
        "assistant", "look", (ToolCall("a", "bash", '{"command": "ls"}'),)
    )


def test_thoughts_are_left_out(play):
    thought = event("content_block_start", index=0, content_block={"type": "thinking"})
    change = {"type": "thinking_delta", "thinking": "hm"}
    more = event("content_block_delta", index=0, delta=change)
    act = Act(parts=[START, thought, more, *text_block(1, "yes"), ends("end_turn"), STOP])
    assert ask(play(act)).message.content == "yes"


def test_the_request_is_what_the_protocol_says(play):
    provider = play(says("yes"))
    messages = (
        *QUESTION,
        Message("assistant", "look", (ToolCall("a", "bash", '{"command": "ls"}'),)),
        Message("tool", "README", tool_call_id="a"),
        Message("user", "go on"),
    )
    ask(provider, messages, [BASH])
    (request,) = provider.requests
    assert provider.paths == ["/v1/messages"]
    assert provider.headers[0]["authorization"] == f"Bearer {KEY}"
    assert request["system"] == "be brief"
    assert [turn["role"] for turn in request["messages"]] == ["user", "assistant", "user"]
    assert request["messages"][1]["content"][1]["input"] == {"command": "ls"}
    assert [block["type"] for block in request["messages"][2]["content"]] == ["tool_result", "text"]
    assert request["tools"][0]["input_schema"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize("arguments", ["not json", "[1, 2]", ""])
def test_arguments_that_a_model_wrote_wrong_can_be_sent_back(play, arguments):
    provider = play(says("yes"))
    ask(provider, (*QUESTION, Message("assistant", "", (ToolCall("a", "bash", arguments),))))
    assert isinstance(provider.requests[0]["messages"][1]["content"][0]["input"], dict)


TRANSIENT = {
    "overloaded": refuses(529, "overloaded"),
    "half a stream": Act(parts=[START, *text_block(0, "half of the tru")]),
    "an end without a reason": Act(parts=[START, *text_block(0, "half"), STOP]),
    "a broken connection": Act(headers={"content-length": "9999"}, parts=[START]),
    "a delta of no block": Act(parts=[START, list(text_block(3, "x"))[1], STOP]),
    "a chunk that is no JSON": Act(parts=[START, b"event: message_delta\ndata: {oops\n\n"]),
    "an error in the stream": Act(
        parts=[START, event("error", error={"type": "overloaded_error", "message": "busy"})]
    ),
    "a page": Act(parts=[b"<html>hello</html>"], content_type="text/html"),
}


@pytest.mark.parametrize("act", TRANSIENT.values(), ids=TRANSIENT)
def test_after_a_passing_trouble_it_asks_again(play, act):
    provider = play(act, says("forty-two"))
    assert ask(provider).message.content == "forty-two"
    assert len(provider.requests) == 2


def test_trouble_that_stays_is_told_after_a_bounded_number_of_attempts(play):
    provider = play(refuses(529, "overloaded"))
    with pytest.raises(ModelUnavailableError, match="asked 3 times"):
        ask(provider)
    assert len(provider.requests) == 3


@pytest.mark.parametrize(
    "act",
    [
        refuses(401, "invalid x-api-key"),
        Act(parts=[START, event("error", error={"type": "authentication_error"})]),
    ],
    ids=["at once", "in the stream"],
)
def test_a_refusal_for_good_is_not_asked_again(play, act):
    provider = play(act)
    with pytest.raises(ModelRefusedError, match="does not take the key in FIXGATE_API_KEY"):
        ask(provider)
    assert len(provider.requests) == 1


def test_messages_that_are_too_long_are_recognised(play):
    with pytest.raises(ContextTooLongError):
        ask(play(refuses(400, "prompt is too long: 210000 tokens > 200000 maximum")))


def test_a_temperature_that_a_model_does_not_take_is_left_out(play):
    def choosy(request):
        if "temperature" in request:
            return refuses(400, "`temperature` is deprecated for this model.")
        return says("forty-two")

    provider = play(choosy)
    assert ask(provider).message.content == "forty-two"
    assert "temperature" not in provider.requests[1]
