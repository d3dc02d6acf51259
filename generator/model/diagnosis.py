"""Tries a model and says what works, what is wrong, and what to do about it."""

from __future__ import annotations

import dataclasses
import difflib
import enum
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator import FixgateError
from generator.errors import ModelError, ModelRefusedError
from generator.model.choosing import (
    ANTHROPIC,
    ChosenModel,
    ModelSettings,
    endpoint_of,
    model_from,
    plays_file,
)
from generator.model.endpoint import KEYS, Endpoint
from generator.model.openai_model import OpenAIModel
from generator.model.protocol import Message, Model, Parameters, Reply, Tool

_SHOWN_NAMES = 8
_ENOUGH = Parameters(max_tokens=512)
"""Tokens for a short answer, and for the thoughts that some models have before it."""

_GREETING = (Message("user", "Answer with the one word: ready"),)
_ERRAND = (Message("user", "What is the weather in Zurich? Call the tool, and say nothing else."),)
_WEATHER = Tool(
    "weather",
    "Tells the weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


class Health(enum.Enum):
    """How good news a finding is."""

    GOOD = "good"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True)
class ModelCheck:
    """One thing that was looked at; `text` says what to do where that is needed."""

    health: Health
    what: str
    text: str


def diagnose(settings: ModelSettings, environment: Mapping[str, str]) -> Iterator[ModelCheck]:
    """Look at everything between here and a model's answer, in this order, and report as it goes.

    Each request is made once, so that trouble shows at once. No model need be named.
    """
    try:
        yield from _diagnose(_once(settings), environment)
    except FixgateError as error:
        yield ModelCheck(Health.BAD, "model", str(error))


def _once(settings: ModelSettings) -> ModelSettings:
    """Without a second attempt, a cache or a recording: this is about the endpoint as it is."""
    retry_policy = dataclasses.replace(settings.retry_policy, attempts=1)
    return dataclasses.replace(settings, retry_policy=retry_policy, cache=None, record=None)


def _diagnose(settings: ModelSettings, environment: Mapping[str, str]) -> Iterator[ModelCheck]:
    if plays_file(settings.name):
        chosen = model_from(settings, environment)
        yield ModelCheck(
            Health.GOOD, "model", f"{chosen.model.name} plays a file, and costs nothing"
        )
        return
    endpoint = endpoint_of(settings, environment)
    if not settings.name and endpoint.key is None and not settings.base_url:
        text = "none is named: the methods that need none work; name one with --model"
        yield ModelCheck(Health.NOTE, "model", text)
        return
    yield from _address(endpoint)
    if not settings.name:
        yield _names_only(endpoint, settings)
        return
    chosen = model_from(settings, environment)
    yield _price(chosen)
    yield from _conversation(chosen.model, settings, endpoint)


def _address(endpoint: Endpoint) -> Iterator[ModelCheck]:
    if endpoint.in_the_clear:
        text = f"{endpoint.base_url}: what is sent, and the key, can be read on the way; use https"
        yield ModelCheck(Health.NOTE, "address", text)
    else:
        yield ModelCheck(Health.GOOD, "address", endpoint.base_url)
    if endpoint.key is not None:
        yield ModelCheck(Health.GOOD, "key", f"found in {endpoint.key.source}")
    elif endpoint.is_local:
        yield ModelCheck(Health.GOOD, "key", "none, which servers on the own machine seldom mind")
    else:
        yield ModelCheck(Health.NOTE, "key", f"none is set: {KEYS[0]} is where it belongs")


def _names_only(endpoint: Endpoint, settings: ModelSettings) -> ModelCheck:
    names = OpenAIModel("", endpoint, retry_policy=settings.retry_policy).served()
    text = f"none is named; {endpoint.base_url} answers and has {_listed(names)}"
    return ModelCheck(Health.NOTE, "model", text)


def _price(chosen: ChosenModel) -> ModelCheck:
    name, price = chosen.model.name, chosen.price
    if price is None:
        text = f"that of {name} is unknown: give it with --prices FILE to limit money"
        return ModelCheck(Health.NOTE, "price", text)
    text = f"${price.input:g} per million tokens read, ${price.output:g} written"
    return ModelCheck(Health.GOOD, "price", text)


def _conversation(
    model: Model, settings: ModelSettings, endpoint: Endpoint
) -> Iterator[ModelCheck]:
    started = time.monotonic()
    try:
        reply = model.reply(_GREETING, _ENOUGH)
    except ModelRefusedError as error:
        yield ModelCheck(Health.BAD, "answer", f"{error}{_instead(model.name, settings, endpoint)}")
        return
    except ModelError as error:
        yield ModelCheck(Health.BAD, "answer", str(error))
        return
    yield _answer(reply, time.monotonic() - started)
    yield _tools(model, settings)


def _answer(reply: Reply, seconds: float) -> ModelCheck:
    counted = "counts tokens itself" if not reply.usage.estimated else "counts no tokens"
    said = " ".join(reply.message.content.split())[:60]
    text = f"{said!r} after {seconds:.1f} s; {counted}"
    if reply.usage.estimated:
        return ModelCheck(Health.NOTE, "answer", f"{text}: costs are estimates")
    return ModelCheck(Health.GOOD, "answer", text)


def _tools(model: Model, settings: ModelSettings) -> ModelCheck:
    if settings.tools is False:
        return ModelCheck(Health.GOOD, "tools", "not used, as --no-tools says: plain text instead")
    called, reason = _calls_tools(model)
    if called and model.calls_tools:
        return ModelCheck(Health.GOOD, "tools", "the model calls them")
    if called:
        return ModelCheck(Health.NOTE, "tools", "the model calls them: say so with --tools")
    if model.calls_tools:
        text = f"{reason}: pass --no-tools, and plain text is used instead"
        return ModelCheck(Health.BAD, "tools", text)
    return ModelCheck(Health.GOOD, "tools", f"{reason}; plain text is used instead")


def _calls_tools(model: Model) -> tuple[bool, str]:
    """Whether a call comes where one is due, and what came in its place."""
    try:
        reply = model.reply(_ERRAND, _ENOUGH, (_WEATHER,))
    except ModelError as error:
        return False, f"the model takes none ({error})"
    called = any(call.name == _WEATHER.name for call in reply.message.tool_calls)
    return called, "the model does not call them"


def _instead(name: str, settings: ModelSettings, endpoint: Endpoint) -> str:
    """The names that the endpoint knows, where it lists them and ours is not among them."""
    if settings.name.startswith(ANTHROPIC):
        return ""
    try:
        names = OpenAIModel("", endpoint, retry_policy=settings.retry_policy).served()
    except ModelError:
        return ""
    near = difflib.get_close_matches(name, names, n=_SHOWN_NAMES, cutoff=0.5)
    return "" if name in names else f". It has {_listed(near or names)}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN_NAMES]) or "no models"
    return f"{shown}, ..." if len(names) > _SHOWN_NAMES else shown
