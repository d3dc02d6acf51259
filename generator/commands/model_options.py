"""Options that name a model, shared by the commands that ask one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from evaluator import default_cache
from generator.model.choosing import ModelSettings
from generator.model.retries import ModelRetryPolicy

Function = TypeVar("Function", bound=Callable[..., Any])

_BOUNDS = ModelRetryPolicy()

_OPTIONS = (
    click.option(
        "--model",
        "model_name",
        default="",
        help="The endpoint's name of a model; anthropic:NAME asks through Anthropic's own package, "
        "scripted:FILE and replay:FILE play a file. The key comes from the environment: "
        "FIXGATE_API_KEY, else OPENAI_API_KEY or ANTHROPIC_API_KEY.",
    ),
    click.option(
        "--base-url",
        default="",
        help="Address of an OpenAI-compatible API [default: FIXGATE_BASE_URL, OPENAI_BASE_URL, "
        "else OpenAI's].",
    ),
    click.option(
        "--tools/--no-tools",
        default=None,
        help="Whether the model takes tools [default: by its name; `fixgate doctor` tries it].",
    ),
    click.option(
        "--prices",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Prices to add to those that fixgate knows; TOML like generator/model/prices.toml.",
    ),
    click.option(
        "--stall-seconds",
        type=click.FloatRange(min=1),
        default=_BOUNDS.stall_seconds,
        show_default=True,
        help="How long a model may be silent before it is asked again.",
    ),
    click.option(
        "--reply-seconds",
        type=click.FloatRange(min=1),
        default=_BOUNDS.reply_seconds,
        show_default=True,
        help="How long one reply may take.",
    ),
)

_KEEPING = (
    click.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        help="File to append whole conversations to, for replay:FILE.",
    ),
    click.option(
        "--reply-cache/--no-reply-cache",
        default=True,
        show_default=True,
        help="Keep replies, and do not ask the same question again.",
    ),
)


def model_options(command: Function) -> Function:
    """Add the options that `settings_from_options` takes."""
    for option in reversed((*_OPTIONS, *_KEEPING)):
        command = option(command)
    return command


def endpoint_options(command: Function) -> Function:
    """Add those among them that say which model and where, and nothing of what is kept."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def settings_from_options(given: dict[str, Any]) -> ModelSettings:
    """The model that the options name, taken out of `given`; its name is empty where none is named.

    `cache` and `ca_bundle` of `given` are looked at and left to others.
    """
    keep = given.pop("reply_cache", False)
    cache = given.get("cache") or default_cache()
    return ModelSettings(
        name=given.pop("model_name"),
        base_url=given.pop("base_url"),
        tools=given.pop("tools"),
        prices=given.pop("prices"),
        record=given.pop("record", None),
        cache=cache / "replies" if keep else None,
        ca_bundle=given.get("ca_bundle"),
        retry_policy=ModelRetryPolicy(given.pop("stall_seconds"), given.pop("reply_seconds")),
    )
