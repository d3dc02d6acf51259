"""Names of tests: their functions, and what in them differs from run to run."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from evaluator.model import Run

_VARYING = re.compile(
    r"0x[0-9a-fA-F]{4,}"
    r"|(?<=\w)@[0-9a-f]{5,8}\b"
    r"|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|\d{4}-\d\d-\d\d(?:[T_ -]?\d\d[:.-]?\d\d[:.-]?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d{9,}(?:\.\d+)?"
    r"|/(?:var/)?tmp/[\w./-]+"
)
_MOMENT = re.compile(r"(?<![\w:.])(?:\d\d?[-/.]\d\d?[-/.]\d{4}|\d\d:\d\d:\d\d(?:\.\d+)?)(?![\w:.])")
_BETWEEN_NAMES = re.compile(r"::|[.$]")
_Definition = TypeVar("_Definition")


def function_name(test: str) -> str:
    """The name without parameters, the same for all cases of a test."""
    return test.partition("[")[0].partition("#")[0]


def function_of(test: str) -> str:
    """The function in a test's name: `path::Class::NAME[parameters]` or `module.Class.NAME`."""
    return test.partition("[")[0].rpartition("::")[2].rpartition(".")[2].partition("#")[0]


def definitions_of(
    tests: Iterable[str], definitions: Sequence[tuple[str, str, _Definition]]
) -> list[_Definition]:
    """Those of the definitions, each with its class and its name, that some tests may be, in order.

    That is the ones in the innermost class that a test's name has and that there is; all of its
    function's name, where there is none, as a class may inherit its tests.
    """
    names = set(map(function_name, tests))
    places = {place for name in names for place in _places(name, definitions)}
    return [definitions[place][-1] for place in sorted(places)]


def _places(test: str, definitions: Sequence[tuple[str, str, object]]) -> list[int]:
    function = function_of(test)
    named = {n: owner for n, (owner, name, _) in enumerate(definitions) if name == function}
    for part in reversed(_BETWEEN_NAMES.split(test)):
        if found := [place for place, owner in named.items() if owner == part]:
            return found
    return list(named)


def defined_as(function: str, names: Collection[str]) -> str:
    """The one of some functions that a test is a case of, "" where there is none.

    That is the function of its name, or else the longest with which the name begins: libraries
    that give unittest parameters make `test_add_0_zero` of `test_add`.
    """
    if function in names:
        return function
    begun = (name for name in names if name.startswith("test") and function.startswith(name))
    return max(begun, key=len, default="")


def steady_name(test: str) -> str:
    """The name with `*` for what differs from run to run in its parameters: times, addresses."""
    name, bracket, parameters = test.partition("[")
    shapes = _MOMENT.sub(_shape, _VARYING.sub("*", parameters))
    return f"{name}{bracket}{shapes}"


def _shape(moment: re.Match[str]) -> str:
    """How a date or time is written: the same moment in two orders may be two tests."""
    return re.sub(r"\d+(?:\.\d+)?", "*", moment[0])


def aligned(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs with one name for each test, where its parameters vary from run to run.

    The last run's name is taken. Names stay as they are in all runs that have them, and where two
    tests of a run could be meant.
    """
    found = tuple(runs)
    common = frozenset[str].intersection(*(frozenset(run.outcomes) for run in found))
    names: dict[str, str] = {}
    for run in found:
        names.update(_varying(run, common))
    return tuple(_renamed(run, names, common) for run in found) if names else found


def _varying(run: Run, common: frozenset[str]) -> Mapping[str, str]:
    """The tests that not all runs have, by a name that others may have them under."""
    tests = {test: steady_name(test) for test in run.outcomes if test not in common}
    count = Counter(tests.values())
    return {steady: t for t, steady in tests.items() if steady != t and count[steady] == 1}


def _renamed(run: Run, names: Mapping[str, str], common: frozenset[str]) -> Run:
    new = {test: names[steady] for steady, test in _varying(run, common).items()}
    outcomes = {
        new.get(test, test): dataclasses.replace(outcome, test=new.get(test, test))
        for test, outcome in run.outcomes.items()
    }
    return dataclasses.replace(run, outcomes=outcomes)
