"""Finds the Python interpreters that are installed on this machine."""

from __future__ import annotations

import datetime
import functools
import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from evaluator.errors import InterpreterMissingError
from evaluator.languages.python.environment.types import PythonRecipe

PROBE = "import json, sys; print(json.dumps([sys.version_info[:3], sys.base_prefix]))"
PROBE_SECONDS = 30
RELEASED = {
    "3.6": datetime.date(2016, 12, 23),
    "3.7": datetime.date(2018, 6, 27),
    "3.8": datetime.date(2019, 10, 14),
    "3.9": datetime.date(2020, 10, 5),
    "3.10": datetime.date(2021, 10, 4),
    "3.11": datetime.date(2022, 10, 24),
    "3.12": datetime.date(2023, 10, 2),
    "3.13": datetime.date(2024, 10, 7),
}
"""When versions of Python were released: https://devguide.python.org/versions/."""


@dataclass(frozen=True)
class Interpreter:
    """One installed Python: its program, full version (`3.9.18`) and installation directory."""

    path: Path
    version: str
    prefix: Path

    @property
    def minor(self) -> str:
        """Major and minor version: `3.9`."""
        return ".".join(self.version.split(".")[:2])


def find_interpreters(recipe: PythonRecipe) -> tuple[Interpreter, ...]:
    """Those of the recipe's Python versions that are installed, in the recipe's order.

    Looks where uv looks (PATH and what uv installed) and among pyenv's versions.
    Raises InterpreterMissingError, saying how to install one, where there is none.
    """
    found = tuple(i for i in map(_installed, recipe.python) if i is not None)
    if not found:
        raise InterpreterMissingError(
            f"no Python {' or '.join(recipe.python)} is installed; "
            f"get one with `uv python install {recipe.python[0]}`",
            recipe=str(recipe),
        )
    return found


def of_its_time(
    interpreters: Sequence[Interpreter], date: datetime.date | None
) -> tuple[Interpreter, ...]:
    """The newest of some interpreters that there was on a date, else the oldest.

    What was built with setuptools of a time needs a Python of that time. None without a date.
    """
    versions = {interpreter.minor: interpreter for interpreter in reversed(interpreters)}
    there = released_by(versions, date) if date else ()
    return tuple(versions[version] for version in sorted(there, key=_release)[-1:])


def released_by(versions: Iterable[str], date: datetime.date) -> tuple[str, ...]:
    """Those of some versions (`3.9`) that there were on a date, else the oldest, in their order."""
    known = [version for version in versions if version in RELEASED]
    there = tuple(version for version in known if _release(version) <= date)
    return there or tuple(sorted(known, key=_release)[:1])


def _release(version: str) -> datetime.date:
    return RELEASED[version]


@functools.cache
def _installed(version: str) -> Interpreter | None:
    for program in _candidates(version):
        interpreter = _probe(program)
        if interpreter is not None and interpreter.minor == version:
            return interpreter
    return None


def _candidates(version: str) -> Iterator[Path]:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(root.glob(f"versions/{version}.*/bin/python{version}"), reverse=True)
    command = [find_uv_bin(), "python", "find", "--no-project", "--system"]
    command += ["--no-python-downloads", version]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == 0:
        yield Path(found.stdout.strip())


def _probe(program: Path) -> Interpreter | None:
    """What the interpreter says about itself; None where it does not run (a dead pyenv shim)."""
    command = [str(program), "-I", "-S", "-c", PROBE]
    try:
        printed = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=PROBE_SECONDS
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    version, prefix = json.loads(printed)
    return Interpreter(program.resolve(), ".".join(map(str, version)), Path(prefix))
