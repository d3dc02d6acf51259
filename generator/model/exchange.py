"""A request and its reply as JSON: what caches and recordings hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import cattrs

from generator.model.protocol import Message, Parameters, Reply, Tool

JsonObject = dict[str, Any]

_converter = cattrs.Converter()


def request_json(
    model: str, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
) -> JsonObject:
    """Everything that a reply depends on."""
    return {
        "model": model,
        "parameters": dataclasses.asdict(parameters),
        "tools": [dataclasses.asdict(tool) for tool in tools],
        "messages": _converter.unstructure(list(messages), list[Message]),
    }


def reply_json(reply: Reply) -> JsonObject:
    """A reply, without whether it was kept: that is a matter of who reads it."""
    document: JsonObject = _converter.unstructure(reply)
    del document["cached"]
    return document


def reply_of(document: Mapping[str, Any]) -> Reply:
    """The reply that `reply_json` wrote, marked as kept.

    Raises cattrs.BaseValidationError where it is none.
    """
    return _converter.structure({**document, "cached": True}, Reply)
