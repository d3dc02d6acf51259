"""The client against a real HTTP server that behaves well, badly, and very badly."""

from __future__ import annotations

import dataclasses
import email.utils
import gc
import json
import time
import types

import pytest

from generator.errors import (
    ContextTooLongError,
    LimitReachedError,
    ModelRefusedError,
    ModelUnavailableError,
)
from generator.model.protocol import Message, Parameters, Tool, ToolCall
from generator.model.retries import ModelRetryPolicy, until
from tests.ports import free_port
from tests.waiting import wait_for

from .conftest import DONE, QUICK, Act, delta, event, model_at, refuses, says, usage

QUESTION = (Message("system", "be brief"), Message("user", "what is 6 x 7?"))
ANYHOW = Parameters()
COMMENTS: list[bytes | float] = [b": still here\n\n", 0.1]
BASH = Tool("bash", "run a command", {"type": "object", "properties": {}})


def ask(provider, **settings):
    return model_at(provider.url, **settings).reply(QUESTION, ANYHOW)


def test_a_reply_is_put_together_from_its_chunks(play):
    provider = play(says("forty-two"))
    reply = ask(provider)
    assert reply.message == Message("assistant", "forty-two")
    assert (reply.finish_reason, reply.cached) == ("stop", False)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (10, 2)
    assert not reply.usage.estimated


def test_the_request_is_what_the_protocol_says(play):
    provider = play(says("yes"))
    messages = (
        *QUESTION,
        Message("assistant", "", (ToolCall("c1", "bash", '{"command": "ls"}'),)),
        Message("tool", "README", tool_call_id="c1"),
    )
    model_at(provider.url).reply(messages, Parameters(temperature=0.7, max_tokens=99), [BASH])
    (request,) = provider.requests
    assert provider.paths == ["/v1/chat/completions"]
    assert (request["model"], request["temperature"], request["max_tokens"]) == (
        "gpt-test",
        0.7,
        99,
    )
    assert request["stream"] is True
    assert request["messages"][2]["tool_calls"] == [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "bash", "arguments": '{"command": "ls"}'},
        }
    ]
    assert request["messages"][3] == {"role": "tool", "content": "README", "tool_call_id": "c1"}
    assert request["tools"][0]["function"]["name"] == "bash"


def test_text_that_no_request_can_carry_does_no_harm(play):
    provider = play(says("fine"))
    model_at(provider.url).reply([Message("user", "a lone \udc80 surrogate")], ANYHOW)
    assert provider.requests[0]["messages"][0]["content"] == "a lone ? surrogate"


def _call(index, identity=None, name=None, arguments=None):
    part = {"index": index, "id": identity, "function": {"name": name, "arguments": arguments}}
    return delta(tool_calls=[part])


def test_calls_of_tools_are_put_together(play):
    parts = [
        _call(0, "a", "bash", ""),
        _call(0, arguments='{"command": '),
        _call(0, arguments='"ls"}'),
        _call(1, "b", "bash", "{}"),
        delta("tool_calls"),
        usage(),
        DONE,
    ]
    reply = ask(play(Act(parts=parts)))
    assert reply.finish_reason == "tool_calls"
    assert reply.message.tool_calls == (
        ToolCall("a", "bash", '{"command": "ls"}'),
        ToolCall("b", "bash", "{}"),
    )


def test_calls_that_are_all_numbered_zero_are_told_apart_by_their_ids(play):
    parts = [_call(0, "a", "bash", "{}"), _call(0, "b", "edit", "{}"), delta("tool_calls"), DONE]
    reply = ask(play(Act(parts=parts)))
    assert [call.name for call in reply.message.tool_calls] == ["bash", "edit"]


def test_a_call_without_an_id_gets_one(play):
    reply = ask(play(Act(parts=[_call(0, None, "bash", "{}"), delta("tool_calls"), DONE])))
    assert reply.message.tool_calls == (ToolCall("call_0", "bash", "{}"),)


def test_an_endpoint_that_does_not_count_tokens_gets_an_estimate_that_says_so(play):
    reply = ask(play(Act(parts=[delta(content="x" * 350), delta("stop"), DONE])))
    assert reply.usage.estimated
    assert reply.usage.output_tokens == 100
    assert reply.usage.input_tokens > 0


def test_tokens_that_the_endpoint_remembered_are_told(play):
    reply = ask(play(Act(parts=[delta("stop", content="x"), usage(100, 1, cached=64), DONE])))
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (100, 64)


TRANSIENT = {
    "bytes that are no text": Act(parts=[b"\xff\xfe\x00\x01" * 50]),
    "rate limit": refuses(429, "slow down"),
    "internal error": refuses(500, "oops"),
    "bad gateway as a page": Act(502, {}, [b"<html>bad gateway</html>"], "text/html"),
    "overloaded": refuses(529, "overloaded"),
    "a chunk that is no JSON": Act(parts=[delta(content="x"), b"data: {oops\n\n", DONE]),
    "a chunk of another shape": Act(parts=[event({"choices": ["x"]}), DONE]),
    "a chunk that is a list": Act(parts=[event([1, 2]), DONE]),
    "text that is a number": Act(parts=[event({"choices": [{"delta": {"content": 7}}]}), DONE]),
    "an error in the stream": Act(parts=[delta(content="x"), event({"error": {"code": 502}})]),
    "half a stream": Act(parts=[delta(content="half of the tru")]),
    "half a stream that says it is done": Act(parts=[delta(content="half of the tru"), DONE]),
    "a broken connection": Act(headers={"content-length": "9999"}, parts=[delta(content="x")]),
}


EMPTY = {
    "no stream but a page": Act(parts=[b"<html>hello</html>"], content_type="text/html"),
    "nothing at all": Act(),
    "only the end": Act(parts=[DONE]),
}


def _whole(**message):
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    counts = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    document = {"object": "chat.completion", "choices": [choice], "usage": counts}
    return Act(parts=[json.dumps(document).encode()], content_type="application/json")


@pytest.mark.parametrize("act", EMPTY.values(), ids=EMPTY)
def test_a_stream_with_nothing_in_it_is_asked_for_in_one_piece(play, act):
    calls = [{"id": "a", "function": {"name": "bash", "arguments": "{}"}, "type": "function"}] * 2
    calls = [{**call, "id": name} for call, name in zip(calls, "ab", strict=True)]
    provider = play(act, _whole(content="forty-two", tool_calls=calls))
    reply = ask(provider)
    assert reply.message.content == "forty-two"
    assert [call.id for call in reply.message.tool_calls] == ["a", "b"]
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3, 2)
    assert [request.get("stream", False) for request in provider.requests] == [True, False]


def test_an_endpoint_that_tells_what_is_wrong_only_without_a_stream_is_understood(play):
    provider = play(Act(), refuses(400, "no", code="context_length_exceeded"))
    with pytest.raises(ContextTooLongError):
        ask(provider)


@pytest.mark.parametrize("act", EMPTY.values(), ids=EMPTY)
def test_nothing_for_good_is_told_after_a_bounded_number_of_attempts(play, act):
    provider = play(act)
    with pytest.raises(ModelUnavailableError, match="asked 3 times"):
        ask(provider)
    assert len(provider.requests) == 2 * QUICK.attempts


@pytest.mark.parametrize("act", TRANSIENT.values(), ids=TRANSIENT)
def test_after_a_passing_trouble_it_asks_again(play, act):
    provider = play(act, says("forty-two"))
    assert ask(provider).message.content == "forty-two"
    assert len(provider.requests) == 2


@pytest.mark.parametrize("act", TRANSIENT.values(), ids=TRANSIENT)
def test_trouble_that_stays_is_told_after_a_bounded_number_of_attempts(play, act):
    provider = play(act)
    with pytest.raises(ModelUnavailableError, match=r"asked 3 times") as raised:
        ask(provider)
    assert provider.url in str(raised.value)
    assert len(provider.requests) == QUICK.attempts


@pytest.mark.parametrize("act", TRANSIENT.values(), ids=TRANSIENT)
def test_trouble_leaves_no_stream_for_the_collector(play, act):
    def unfinished():
        found = (each for each in gc.get_objects() if isinstance(each, types.GeneratorType))
        return [each for each in found if each.gi_frame and "openai" in each.gi_code.co_filename]

    gc.collect()
    gc.disable()
    try:
        with pytest.raises(ModelUnavailableError):
            ask(play(act), retry_policy=dataclasses.replace(QUICK, attempts=1))
        wait_for(lambda: not unfinished(), seconds=5)
    finally:
        gc.enable()


def test_a_page_in_place_of_an_api_is_named(play):
    page = Act(parts=[b"<html>hello</html>"], content_type="text/html")
    with pytest.raises(ModelUnavailableError, match=r"usually ends in /v1"):
        ask(play(page))


@pytest.mark.parametrize(
    "act",
    [
        Act(parts=[delta(content="half of"), 30.0]),
        Act(parts=[30.0]),
        Act(parts=[delta(content="half of"), *COMMENTS * 300]),
    ],
    ids=["in mid-stream", "before the first byte", "behind comments that keep it warm"],
)
def test_a_stall_is_noticed_and_asked_again(play, act):
    provider = play(act, says("forty-two"))
    started = time.monotonic()
    assert ask(provider).message.content == "forty-two"
    assert QUICK.stall_seconds <= time.monotonic() - started < 10 * QUICK.stall_seconds


def test_a_stall_that_stays_is_told(play):
    retry_policy = ModelRetryPolicy(stall_seconds=0.3, attempts=2, first_wait=0.01)
    with pytest.raises(ModelUnavailableError, match=r"nothing came for 0.3 s \(asked 2 times\)"):
        ask(play(Act(parts=[delta(content="half of"), 30.0])), retry_policy=retry_policy)


def test_silence_from_the_start_is_a_stall_too(play):
    retry_policy = ModelRetryPolicy(stall_seconds=0.3, attempts=2, first_wait=0.01)
    with pytest.raises(ModelUnavailableError, match=r"nothing came for 0.3 s \(asked 2 times\)"):
        ask(play(Act(parts=[30.0])), retry_policy=retry_policy)


def test_a_slow_first_byte_within_the_bounds_is_waited_for(play):
    provider = play(Act(parts=[0.3, *says("forty-two").parts]))
    assert ask(provider).message.content == "forty-two"
    assert len(provider.requests) == 1


def test_a_reply_that_drips_without_end_is_bounded_as_a_whole(play):
    provider = play(Act(parts=[delta(content="on and "), 0.05] * 400))
    retry_policy = ModelRetryPolicy(stall_seconds=5, reply_seconds=0.5, attempts=1)
    with pytest.raises(ModelUnavailableError, match=r"no whole reply came within 0.5 s"):
        ask(provider, retry_policy=retry_policy)


def _in_two_seconds(_request):
    return refuses(429, "later", retry_after=email.utils.formatdate(time.time() + 2, usegmt=True))


WAITS = {
    "seconds": refuses(429, "later", retry_after="0.7"),
    "milliseconds": refuses(429, "later", retry_after_ms="700"),
    "a date": _in_two_seconds,
}


@pytest.mark.parametrize("act", WAITS.values(), ids=WAITS)
def test_the_wait_that_is_asked_for_is_obeyed(play, act):
    provider = play(act, says("forty-two"))
    assert ask(provider).message.content == "forty-two"
    first, second = provider.times
    assert second - first >= 0.7


def test_a_longer_wait_than_allowed_ends_it_at_once(play):
    provider = play(refuses(429, "come back tomorrow", retry_after="86400"))
    with pytest.raises(ModelUnavailableError, match=r"asks to wait 86400 s, longer than 2 s"):
        ask(provider)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("value", ["soon", "nan", "-5", "", "inf"])
def test_a_wait_that_cannot_be_read_is_as_none(play, value):
    provider = play(refuses(503, "busy", retry_after=value), says("forty-two"))
    assert ask(provider).message.content == "forty-two"


REFUSALS = {
    "a wrong key": (refuses(401, "Incorrect API key"), r"does not take the key in FIXGATE_API_KEY"),
    "no right": (refuses(403, "not in your region"), r"not allowed to use gpt-test"),
    "an unknown model": (refuses(404, "no such model"), r"knows no model 'gpt-test'"),
    "a wrong address": (Act(404, {}, [b"<h1>Not here</h1>"], "text/html"), r"usually ends in /v1"),
    "no money": (refuses(402, "insufficient credits"), r"no credit left"),
    "no quota": (refuses(429, "check your plan", code="insufficient_quota"), r"no credit left"),
    "a bad request": (refuses(400, "tools are not supported"), r"tools are not supported"),
    "in the stream": (Act(parts=[event({"error": {"code": 401, "message": "no"}})]), r"the key in"),
}


@pytest.mark.parametrize(("act", "told"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_for_good_is_not_asked_again(play, act, told):
    provider = play(act)
    with pytest.raises(ModelRefusedError, match=told):
        ask(provider)
    assert len(provider.requests) == 1


TOO_LONG = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "the request exceeds the available context size. try increasing the context size",
    "Requested tokens (5000) exceed context window of 2048",
    "'max_tokens' is too large: 4096. This model's maximum context length is 2048 tokens",
    "Input is too long for requested model.",
)


@pytest.mark.parametrize("message", TOO_LONG)
def test_messages_that_are_too_long_are_recognised(play, message):
    provider = play(refuses(400, message))
    with pytest.raises(ContextTooLongError, match="too long for gpt-test"):
        ask(provider)
    assert len(provider.requests) == 1


def test_messages_that_are_too_long_are_recognised_by_the_code(play):
    with pytest.raises(ContextTooLongError):
        ask(play(refuses(400, "no", code="context_length_exceeded")))


def test_parameters_that_a_model_does_not_take_are_put_in_other_words(play):
    def choosy(request):
        if "max_tokens" in request:
            return refuses(400, "Unsupported parameter: 'max_tokens'", code="unsupported_parameter")
        if "temperature" in request:
            return refuses(400, "'temperature' does not support 0.0 with this model")
        return says("forty-two")

    provider = play(choosy)
    model = model_at(provider.url)
    assert model.reply(QUESTION, ANYHOW).message.content == "forty-two"
    assert provider.requests[-1]["max_completion_tokens"] == ANYHOW.max_tokens
    assert len(provider.requests) == 3
    model.reply(QUESTION, ANYHOW)
    assert len(provider.requests) == 4, "what was learned is remembered"


def test_a_parameter_that_is_refused_in_any_words_ends_it(play):
    provider = play(refuses(400, "'max_tokens' and 'temperature' and 'stream_options' are wrong"))
    with pytest.raises(ModelRefusedError):
        ask(provider)
    assert len(provider.requests) == 4


def test_where_nobody_listens_it_says_so():
    url = f"http://127.0.0.1:{free_port()}/v1"
    with pytest.raises(ModelUnavailableError, match=r"cannot be reached: .*refused"):
        model_at(url).reply(QUESTION, ANYHOW)


def test_a_deadline_ends_a_reply_under_way(play):
    provider = play(Act(parts=[delta(content="on and "), 0.05] * 400))
    started = time.monotonic()
    with until(started + 0.4), pytest.raises(LimitReachedError, match="time is used up"):
        ask(provider)
    assert time.monotonic() - started < 10, "the whole reply takes twenty seconds"


def test_a_deadline_ends_waiting_for_another_attempt(play):
    provider = play(refuses(429, "slow down", retry_after="60"))
    retry_policy = ModelRetryPolicy(longest_wait=100)
    with until(time.monotonic() + 20), pytest.raises(LimitReachedError):
        ask(provider, retry_policy=retry_policy)
    assert len(provider.requests) == 1
