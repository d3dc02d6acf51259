"""Virtual environments that hold resolved releases, made once for everyone who needs them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

from evaluator.environment.tools import ToolError, at_own_path
from evaluator.languages.python.environment.bytecode import compile_modules
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.resolve import Resolution, ResolutionRequest
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.once import make_once

NO_WHEEL = "--no-build"
"""What uv says where building would have helped."""
_SOURCE_ONLY = re.compile(r"`([\w.-]+(?:==[^`\s]+)?)`")


def virtual_environment(uv: Uv, wanted: ResolutionRequest, resolution: Resolution) -> Path:
    """The directory of the virtual environment that holds exactly the resolved releases.

    Raises ToolError with uv's output where a release cannot be fetched or built.
    """
    shelf = uv.cache / "environments"
    newer = (*wanted.newer, *resolution.newer)
    options = dataclasses.replace(wanted, newer=newer).build_options
    return make_once(shelf, resolution.key, lambda place: _create(uv, resolution, options, place))


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / "bin" / "python"


def _create(uv: Uv, resolution: Resolution, options: Sequence[str], place: Path) -> None:
    _empty(uv, resolution.interpreter, place)
    python = ["--python", str(python_of(place))]
    install = ["pip", "install", "--quiet", "--no-deps", *python, *options, *resolution.pins]
    if resolution.pins:
        _install(uv, install, resolution.interpreter, place)
    # Now, since environments are read-only later, so that runs could not keep it.
    compile_modules(uv, resolution.interpreter, place / "lib", "-j", "2")


def _empty(uv: Uv, interpreter: Interpreter, place: Path) -> None:
    python = ["--python", str(interpreter.path), "--no-project"]
    uv.run(["venv", "--quiet", "--clear", *python, str(place)])


def _install(uv: Uv, install: Sequence[str], interpreter: Interpreter, place: Path) -> None:
    try:
        uv.run([*install, "--no-build"])
    except ToolError as error:
        if uv.offline or NO_WHEEL not in error.log:
            raise
        _empty(uv, interpreter, place)
        _install_with_builds(uv, install, interpreter, place, error)


def _building(failed: ToolError) -> str:
    """What is built where wheels do not suffice: uv names the first package that has none."""
    named = _SOURCE_ONLY.search(failed.log)
    return f"building {named[1]} and what else has no wheel" if named else "building packages"


def _install_with_builds(
    uv: Uv, install: Sequence[str], interpreter: Interpreter, place: Path, failed: ToolError
) -> None:
    """Install where building is allowed: nothing but this one environment can be written there."""
    visible = [at_own_path(interpreter.prefix), at_own_path(place, writable=True)]
    try:
        uv.run_sandboxed(install, visible=visible, purpose=_building(failed))
    except ToolError as error:
        raise error.after(failed) from error
