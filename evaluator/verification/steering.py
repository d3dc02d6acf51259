"""Which changed files steer how tests are run, and so could make them say anything."""

from __future__ import annotations

import configparser
import sys
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from evaluator.diff import Source, is_test_file
from evaluator.environment.types import Environment

_FILES = frozenset(
    {"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.py"}
)
_START_UP = frozenset({"sitecustomize", "usercustomize"})
_SECTIONS = ("pytest", "tool:pytest", "coverage", "testenv", "options.entry_points")
_TOOLS = frozenset({"pytest", "_pytest", "pluggy", "unittest", "coverage", "nose", "hypothesis"})


def steering(
    changed: Mapping[str, bytes | None],
    source: Source,
    *,
    taken: Collection[str] = (),
    roots: Sequence[str] = ("",),
) -> tuple[str, ...]:
    """Those of the files with new contents that steer how tests run.

    `taken` are names of modules that other code has: a new file at one of the import `roots`
    would be imported in the place of such a module.
    """
    return tuple(
        sorted(
            path
            for path, new in changed.items()
            if _steers(path, source, new) or _shadows(path, source, new, taken, roots)
        )
    )


def taken_names(environment: Environment) -> frozenset[str]:
    """The modules of the standard library, of the tools for tests, and of what is installed."""
    packages = environment.python.parent.parent.glob("lib/python*/site-packages/*")
    installed = {path.name.partition(".")[0] for path in packages}
    return frozenset({*sys.stdlib_module_names, *_TOOLS, *installed})


def _shadows(
    path: str,
    source: Source,
    new: bytes | None,
    taken: Collection[str],
    roots: Sequence[str],
) -> bool:
    """Whether a file that was not there makes a module of a name that is taken."""
    if new is None or is_test_file(path) or source(path) is not None:
        return False
    for root in roots:
        below = path.removeprefix(f"{root.strip('/')}/") if root.strip("./") else path
        name = below.partition("/")[0].partition(".")[0]
        prefix = path.removesuffix(below)
        known = (f"{prefix}{name}.py", f"{prefix}{name}/__init__.py")
        if name in taken and all(source(each) is None for each in known):
            return PurePosixPath(path).suffix in (".py", ".so", ".pyc", ".pyd")
    return False


def _steers(path: str, source: Source, new: bytes | None) -> bool:
    place = PurePosixPath(path)
    name = place.name
    if name in _FILES or name.endswith(".pth"):
        return True
    if not _START_UP.isdisjoint({*place.parts, name.partition(".")[0]}):
        return True
    read = {"pyproject.toml": _pyproject, "setup.cfg": _sections, "tox.ini": _sections}.get(name)
    return read is not None and read(source(path) or b"") != read(new or b"")


def _pyproject(content: bytes) -> object:
    """The options of pytest, and the plug-ins that are registered (as PEP 621 and Poetry do)."""
    try:
        data: dict[str, Any] = tomllib.loads(content.decode())
        tools, project = data.get("tool", {}), data.get("project", {})
        plugins = tools.get("poetry", {}).get("plugins"), project.get("entry-points")
        return tools.get("pytest"), *plugins
    except (ValueError, AttributeError):
        return content


def _sections(content: bytes) -> object:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(content.decode())
    except (configparser.Error, ValueError):
        return content
    return {s: dict(parser[s]) for s in parser.sections() if s.startswith(_SECTIONS)}
