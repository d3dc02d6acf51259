"""Plain completion and how tokens are sampled, against a real HTTP server."""

from __future__ import annotations

import json

import pytest

from evaluator import InputError
from generator.model.choosing import ModelSettings, model_from
from generator.model.completion_model import CompletionModel
from generator.model.endpoint import Endpoint
from generator.model.protocol import Message, Parameters, request_json

from .conftest import DONE, QUICK, Act, event, model_at, refuses, says, usage

START = (Message("user", "int one ="),)
THESIS = Parameters(temperature=0.05, max_tokens=99, sample=3, top_p=0.9, top_k=50)


def continues(text: str, finish: str = "length") -> Act:
    def choice(part: str, reason: str | None) -> bytes:
        choices = [{"index": 0, "text": part, "finish_reason": reason, "logprobs": None}]
        return event({"id": "1", "object": "text_completion", "choices": choices, "usage": None})

    return Act(parts=[choice(text[:2], None), choice(text[2:], finish), usage(), DONE])


def test_a_text_is_continued(play):
    provider = play(continues(" 1;"))
    settings = ModelSettings("base", provider.url, continues=True, retry_policy=QUICK)
    reply = model_from(settings, {}).model.reply(START, THESIS)
    assert (reply.message.content, reply.finish_reason) == (" 1;", "length")
    assert reply.usage.output_tokens == 2
    assert provider.paths == ["/v1/completions"]
    (request,) = provider.requests
    assert (request["prompt"], request["top_p"], request["top_k"]) == ("int one =", 0.9, 50)
    assert "messages" not in request


def test_a_conversation_cannot_be_continued():
    model = CompletionModel("base", Endpoint("http://localhost:1/v1"))
    with pytest.raises(InputError, match="no conversation"):
        model.reply((Message("system", "be brief"), *START), Parameters())
    with pytest.raises(InputError, match="converse"):
        model_from(ModelSettings("anthropic:any", continues=True), {})


def test_an_endpoint_without_top_k_is_asked_without_it(play):
    provider = play(refuses(400, "Unrecognized request argument supplied: top_k"), says("1"))
    model = model_at(provider.url)
    model.reply(START, THESIS)
    model.reply(START, Parameters())
    assert ["top_k" in request for request in provider.requests] == [True, False, False]
    assert [request.get("top_p") for request in provider.requests] == [0.9, 0.9, None]


def test_the_same_text_continued_and_answered_is_kept_apart(play, tmp_path):
    def answer(request: dict[str, object]) -> Act:
        return continues("on") if "prompt" in request else says("an answer")

    provider = play(answer)
    replies = [
        model_from(
            ModelSettings("m", provider.url, continues=on, cache=tmp_path, retry_policy=QUICK), {}
        ).model.reply(START, Parameters())
        for on in (True, False)
    ]
    assert [reply.message.content for reply in replies] == ["on", "an answer"]


def test_what_is_left_to_the_endpoint_is_no_part_of_a_request():
    """Recordings and kept replies from before keep their keys."""
    document = json.dumps(request_json("m", START, Parameters(), ()))
    assert "top_" not in document
    assert request_json("m", START, THESIS, ())["parameters"]["top_k"] == 50
