"""The version of a project as a change leaves it, in the metadata that fixgate wrote for its base.

A change that is released at once raises the version, and tests compare what the package says of
itself with what is installed. Nothing else of the metadata is the change's: it may name plug-ins.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from packaging.version import VERSION_PATTERN

from evaluator.diff import Changes
from evaluator.languages.python.environment.types import PythonEnvironment
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

_DESCRIPTIONS = ("pyproject.toml", "setup.cfg", "setup.py")
_STATED = re.compile(r"^Version: (.+)$", re.MULTILINE)
_FLAGS = re.VERBOSE | re.IGNORECASE | re.MULTILINE
_MOST_LINES = 5


def with_changed_version(
    environment: PythonEnvironment, cache: Path, tree: Path, fix: Changes
) -> PythonEnvironment:
    """The environment of the base, with the version that `fix` gives the project at `tree`.

    The same environment where it gives none. What is written lies under `cache`.
    """
    for overlay in environment.overlays:
        roots = (overlay / root for root in environment.recipe.import_roots)
        for information in (file for root in roots for file in root.glob("*.egg-info/PKG-INFO")):
            text = information.read_text(encoding="utf-8")
            stated = _STATED.search(text)
            new = _changed(stated[1], tree, fix) if stated else ""
            if new:
                text = _STATED.sub(f"Version: {new}", text, count=1)
                return _laid_over(environment, cache, information.relative_to(overlay), text)
    return environment


def _changed(version: str, tree: Path, fix: Changes) -> str:
    """The version that changed files state in the place of another one; "" where none does.

    Where the project's description states it, no other file counts.
    """
    described = [name for name in _DESCRIPTIONS if _beginnings(version, _text(tree, name))]
    for path in described or sorted(fix.contents):
        new = (fix.contents.get(path) or b"").decode("utf-8", errors="replace")
        for beginning in _beginnings(version, _text(tree, path)):
            found = re.search(f"^{re.escape(beginning)}({VERSION_PATTERN})", new, _FLAGS)
            if found and found[1] != version:
                return found[1]
    return ""


def _beginnings(version: str, text: str) -> Sequence[str]:
    """What stands before the version in the first lines that state it as one."""
    lines = (line.partition(version) for line in text.splitlines() if version in line)
    stating = (beginning for beginning, _, _ in lines if "version" in beginning.lower())
    return list(itertools.islice(stating, _MOST_LINES))


def _text(tree: Path, path: str) -> str:
    """A file that does not lie elsewhere, by a link say; "" for none."""
    file = (tree / path).resolve()
    inside = file.is_relative_to(tree.resolve()) and file.is_file()
    return file.read_text(encoding="utf-8", errors="replace") if inside else ""


def _laid_over(
    environment: PythonEnvironment, cache: Path, path: Path, text: str
) -> PythonEnvironment:
    key = short_key("version", str(path), text)
    write = functools.partial(_write, path=path, text=text)
    overlay = make_once(cache / "overlays", key, write)
    return dataclasses.replace(
        environment,
        key=short_key(environment.key, key),
        overlays=(*environment.overlays, overlay),
    )


def _write(place: Path, *, path: Path, text: str) -> None:
    (place / path).parent.mkdir(parents=True)
    (place / path).write_text(text, encoding="utf-8")
