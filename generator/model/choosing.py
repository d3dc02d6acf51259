"""From the name that a user gives to a model that can be asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluator import InputError
from generator.model.completion_model import CompletionModel
from generator.model.endpoint import Endpoint, anthropic_endpoint, endpoint_from
from generator.model.openai_model import OpenAIModel
from generator.model.prices import Price, known_prices
from generator.model.protocol import Model
from generator.model.recording import CachedModel, RecordingModel, ReplayingModel
from generator.model.retries import ModelRetryPolicy
from generator.model.scripted import scripted_from

SCRIPTED, REPLAY, ANTHROPIC = "scripted:", "replay:", "anthropic:"


@dataclass(frozen=True)
class ModelSettings:
    """What a user says of a model.

    `name` is the endpoint's own name of it; `scripted:FILE` and `replay:FILE` play a file, and
    `anthropic:NAME` is asked through Anthropic's own package. An empty `base_url` leaves it to the
    environment. `tools` of None goes by the name. `continues` asks the endpoint to continue a text
    in place of conversing. Replies are kept in `cache` where one is named, and whole conversations
    appended to `record`.
    """

    name: str
    base_url: str = ""
    tools: bool | None = None
    continues: bool = False
    prices: Path | None = None
    record: Path | None = None
    cache: Path | None = None
    ca_bundle: Path | None = None
    retry_policy: ModelRetryPolicy = field(default_factory=ModelRetryPolicy)


@dataclass(frozen=True)
class ChosenModel:
    """A model and its price, which is None where it is unknown."""

    model: Model
    price: Price | None


def model_from(settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> ChosenModel:
    """The model that the settings name; keys come from the environment and from nowhere else.

    Raises InputError where a setting cannot be used. Nothing is asked yet.
    """
    prices = known_prices(settings.prices)
    model = _asked(settings, environment)
    if settings.record is not None:
        model = RecordingModel(model, settings.record)
    price = Price(0, 0) if plays_file(settings.name) else prices.of(model.name)
    return ChosenModel(model, price)


def plays_file(name: str) -> bool:
    """Whether a name means a file, and nothing is asked anywhere."""
    return name.startswith((SCRIPTED, REPLAY))


def endpoint_of(settings: ModelSettings, environment: Mapping[str, str]) -> Endpoint:
    """The endpoint that a name which plays no file is asked at."""
    make = anthropic_endpoint if settings.name.startswith(ANTHROPIC) else endpoint_from
    return make(settings.base_url, environment, ca_bundle=settings.ca_bundle)


def _asked(settings: ModelSettings, environment: Mapping[str, str]) -> Model:
    if settings.name.startswith(SCRIPTED):
        return scripted_from(Path(settings.name.removeprefix(SCRIPTED)))
    if settings.name.startswith(REPLAY):
        return ReplayingModel(Path(settings.name.removeprefix(REPLAY)))
    endpoint = endpoint_of(settings, environment)
    model = _remote(settings, endpoint)
    if settings.cache is None:
        return model
    manner = " completions" if settings.continues else ""
    return CachedModel(model, settings.cache, scope=f"{endpoint.base_url}{manner}")


def _remote(settings: ModelSettings, endpoint: Endpoint) -> Model:
    name = settings.name.removeprefix(ANTHROPIC)
    tools = calls_tools(name) if settings.tools is None else settings.tools
    if settings.continues and settings.name.startswith(ANTHROPIC):
        raise InputError("Anthropic's models converse: they cannot be asked to continue a text")
    if settings.name.startswith(ANTHROPIC):
        from generator.model.anthropic_model import AnthropicModel

        return AnthropicModel(name, endpoint, calls_tools=tools, retry_policy=settings.retry_policy)
    kind = CompletionModel if settings.continues else OpenAIModel
    return kind(name, endpoint, calls_tools=tools, retry_policy=settings.retry_policy)


CALLING_TOOLS = (
    "claude-",
    "deepseek-",
    "gemini-",
    "glm-",
    "gpt-3.5-turbo",
    "gpt-4",
    "gpt-5",
    "gpt-6",
    "grok-",
    "kimi-",
    "mistral-large",
    "o1",
    "o3",
    "o4",
)
"""Beginnings of the names of hosted models that take tools.

Whether a model behind somebody's own server does depends on how it is served (vLLM wants
`--enable-auto-tool-choice`, llama.cpp `--jinja`), so that none is taken for granted there.
"""


def calls_tools(model: str) -> bool:
    """Whether a model is known to take tools; `fixgate doctor` tries the others."""
    return model.rpartition("/")[2].lower().startswith(CALLING_TOOLS)
