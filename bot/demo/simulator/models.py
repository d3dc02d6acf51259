"""The models of `githubkit`, found by the names that GitHub gives its operations and events.

Imported only where that package is there: see `description`.
"""

from __future__ import annotations

import datetime
import functools
import importlib
import json
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

import pydantic

from bot.demo.simulator.errors import MisfitError
from bot.demo.simulator.records import Json

_VERSION = "githubkit_schemas.v2026_03_10"
_LEFT_OUT = frozenset({"self", "headers", "stream", "data", "kwargs", "return"})


@dataclass(frozen=True)
class Operation:
    """One call of the API: what may be in its query and body, and what is in its answer."""

    query: Mapping[str, pydantic.TypeAdapter[object]]
    body: pydantic.TypeAdapter[object] | None
    answer: pydantic.TypeAdapter[object] | None

    def complaint_about_query(self, name: str, value: str) -> str:
        """Why a parameter does not fit; empty where it does."""
        if name not in self.query:
            return f'"{name}" is not a permitted parameter.'
        return _complaint(functools.partial(self.query[name].validate_python, value))

    def complaint_about_body(self, text: bytes) -> str:
        """Why a body (JSON) does not fit; empty where it does."""
        if self.body is None:
            return ""
        return _complaint(functools.partial(self.body.validate_json, text))

    def check_answer(self, text: bytes) -> None:
        """Raises MisfitError where an answer (JSON) does not fit."""
        if self.answer is None:
            return
        if complaint := _complaint(functools.partial(self.answer.validate_json, text)):
            raise MisfitError(complaint)


@functools.cache
def described(name: str) -> Operation:
    """The operation that GitHub calls "issues/create" or the like."""
    category, _, method = name.replace("-", "_").partition("/")
    module = importlib.import_module(f"{_VERSION}.rest.{category}")
    client = getattr(module, f"{category.title().replace('_', '')}Client")
    hints = _hints(getattr(client, method), module)
    queried = {key: hint for key, hint in hints.items() if key not in _LEFT_OUT}
    answers = typing.get_args(hints["return"])
    return Operation(
        query={key.rstrip("_"): pydantic.TypeAdapter(hint) for key, hint in queried.items()},
        body=pydantic.TypeAdapter(hints["data"]) if "data" in hints else None,
        answer=pydantic.TypeAdapter(answers[0]) if answers else None,
    )


def complaint_about_event(event: str, action: str | None, payload: Json) -> str:
    """Why a webhook's payload does not fit; empty where it does."""
    return _complaint(functools.partial(_event(event, action).validate_json, json.dumps(payload)))


@functools.cache
def _event(event: str, action: str | None) -> pydantic.TypeAdapter[object]:
    """Loads just this event: to load all of them takes seconds."""
    words = f"webhook_{event}_{action or ''}".split("_")
    models = importlib.import_module(f"{_VERSION}.models")
    return pydantic.TypeAdapter(getattr(models, "".join(word.capitalize() for word in words)))


def _complaint(check: typing.Callable[[], object]) -> str:
    try:
        check()
    except pydantic.ValidationError as error:
        problems = [f"{'/'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        return "; ".join(problems[:5])
    return ""


class _Names(dict[str, object]):
    """Finds the names in the annotations of githubkit, which it imports for type checkers only."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__()
        self._models = importlib.import_module(f"{_VERSION}.models")
        self._module = module

    def __missing__(self, name: str) -> object:
        if name in _STAND_INS:
            return _STAND_INS[name]
        for place in (self._module, typing):
            if hasattr(place, name):
                return getattr(place, name)
        for suffix in ("TypeForResponse", "Type", ""):
            if name.endswith(suffix) and hasattr(self._models, name.removesuffix(suffix)):
                return getattr(self._models, name.removesuffix(suffix))
        raise KeyError(name)


def _hints(method: typing.Callable[..., object], module: ModuleType) -> dict[str, typing.Any]:
    """What the parameters and the answer of a method are; those of the path are among them."""
    return typing.get_type_hints(method, {}, _Names(module))


_Model = typing.TypeVar("_Model")
_Written = typing.TypeVar("_Written")


class _Response(typing.Generic[_Model, _Written]):
    """Stands for githubkit's own response type, of which only the model counts."""


_STAND_INS: dict[str, object] = {"_dt": datetime, "Response": _Response}
