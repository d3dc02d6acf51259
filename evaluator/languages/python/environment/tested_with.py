"""Releases of frameworks that a project says it was tested with.

A project that asks for `django>=4.2` gets the newest Django there was, which may no longer have all
that the project uses; its classifiers then say with which one its tests run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version

from evaluator.languages.python.environment.project import read_project

_FRAMEWORK = re.compile(r"Framework :: ([^:]+) :: (\d+(?:\.\d+)*)")


def tested_release(packages: Iterable[str], tree: Path) -> str:
    """`django 5.2`, where one of `packages` (`django==6.0`) is newer than a tree's classifiers say.

    "" where none is.
    """
    tested = _tested(tree)
    for name, _, version in (pin.partition("==") for pin in packages):
        newest = tested.get(canonicalize_name(name))
        if newest and Version(version) >= Version(_next(newest)):
            return f"{name} {newest}"
    return ""


def up_to(release: str) -> str:
    """The requirement for a release such as `django 5.2` or one before it: `django<5.3`."""
    name, _, newest = release.partition(" ")
    return f"{name}<{_next(newest)}"


@functools.lru_cache(maxsize=1)
def _tested(tree: Path) -> Mapping[str, str]:
    """The newest release by the name of the framework's package."""
    lines = map(str.strip, read_project(tree).classifiers)
    named = (found for line in lines if (found := _FRAMEWORK.fullmatch(line)))
    newest: dict[str, str] = {}
    for found in named:
        name = canonicalize_name(found[1])
        newest[name] = max(newest.get(name, "0"), found[2], key=Version)
    return newest


def _next(version: str) -> str:
    before, dot, last = version.rpartition(".")
    return f"{before}{dot}{int(last) + 1}"
