"""Methods by name: listings, help and tests are made from `METHODS`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType

from evaluator import InputError
from generator.method import Method
from generator.methods.aider import Aider
from generator.methods.autocoderover import AutoCodeRover
from generator.methods.ensemble import Ensemble
from generator.methods.issue_only import IssueOnly, IssueOnlyRules
from generator.methods.pass_then_invert import PassThenInvert
from generator.methods.shell import Agent, SweAgent, SweAgentPlus
from generator.methods.single_shot import Libro, PassAtK, ZeroShot, ZeroShotPlus

_METHODS: tuple[Method, ...] = (
    Agent(),
    Aider(),
    AutoCodeRover(),
    Ensemble(),
    IssueOnly(),
    IssueOnlyRules(),
    Libro(),
    PassAtK(),
    PassThenInvert(),
    SweAgent(),
    SweAgentPlus(),
    ZeroShot(),
    ZeroShotPlus(),
)
METHODS: Mapping[str, Method] = MappingProxyType({one.name: one for one in _METHODS})
"""Every method by name, sorted."""


def method(name: str) -> Method:
    """The method of a name. Raises InputError for a name that is not known."""
    try:
        return METHODS[name]
    except KeyError:
        raise InputError(f"method `{name}` is not known; use one of {', '.join(METHODS)}") from None


def summary(method: Method) -> str:
    """What listings say of a method: the first line of its docstring."""
    return (inspect.getdoc(type(method)) or "").partition("\n")[0]
