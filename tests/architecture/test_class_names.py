"""A class name means one thing in the whole program; ARCHITECTURE.md gives the exceptions."""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterator
from pathlib import Path

import bot
import evaluator
import generator

SIMULATOR = "bot/demo/simulator/"
"""Has GitHub's own names for what the App reads from GitHub."""
SEAM = {"Language", "TestFiles", "Sources", "Layout", "Assertion"}
"""Parts of a language: both protocols name them, and so does what implements one."""


def classes() -> Iterator[tuple[str, str]]:
    for package in (bot, evaluator, generator):
        folder = Path(str(package.__file__)).parent
        for file in folder.rglob("*.py"):
            place = file.relative_to(folder.parent).as_posix()
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield node.name, place


def counterparts(places: list[str]) -> bool:
    """Whether each is of another language, as `Project` of Python and of Java."""
    languages = [place.partition("/languages/")[2].partition("/")[0] for place in places]
    return "" not in languages and len(set(languages)) == len(languages)


def names_of_github(places: list[str]) -> bool:
    simulated = [place for place in places if place.startswith(SIMULATOR)]
    others = [place for place in places if place not in simulated]
    return len(simulated) == 1 and len(others) == 1 and others[0].startswith("bot/github/")


def test_no_class_name_means_two_things() -> None:
    found: dict[str, list[str]] = collections.defaultdict(list)
    for name, place in classes():
        found[name].append(place)
    twice = {
        name: places
        for name, places in found.items()
        if len(places) > 1 and name not in SEAM
        if not (names_of_github(places) or counterparts(places))
    }
    assert twice == {}
