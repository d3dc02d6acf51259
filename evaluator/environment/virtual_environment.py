"""Virtual environments: one for each set of pins, shared by every task that resolves to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluator.environment.interpreter import Interpreter
from evaluator.environment.once import content_key, make_once
from evaluator.environment.resolve import Wanted
from evaluator.environment.uv import BUILD_LIMITS, ToolError, Uv, at_own_path
from evaluator.sandbox.protocol import Command


def environment_key(interpreter: Interpreter, pins: Sequence[str]) -> str:
    """The content key of a virtual environment. The path counts: its `python` is a link to it."""
    return content_key(interpreter.version, interpreter.path, *pins)


def virtual_environment(uv: Uv, wanted: Wanted, pins: Sequence[str]) -> Path:
    """The directory of the virtual environment that holds exactly `pins`.

    Raises ToolError with uv's output where a release cannot be fetched or built.
    """
    key = environment_key(wanted.interpreter, pins)
    shelf = uv.cache / "environments"
    return make_once(shelf, key, lambda place: _create(uv, wanted, pins, place))


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / "bin" / "python"


def site_packages(environment: Path, interpreter: Interpreter) -> Path:
    """Where a virtual environment keeps its packages."""
    return environment / "lib" / f"python{interpreter.minor}" / "site-packages"


def _create(uv: Uv, wanted: Wanted, pins: Sequence[str], place: Path) -> None:
    _empty(uv, wanted.interpreter, place)
    if pins:
        try:
            uv.run([*_install(wanted, pins, place), "--no-build"])
        except ToolError as error:
            if uv.offline:
                raise
            _install_sandboxed(uv, wanted, pins, place, error)
    _compile(uv, wanted.interpreter, place)


def _empty(uv: Uv, interpreter: Interpreter, place: Path) -> None:
    python = ["--python", str(interpreter.path), "--no-project"]
    uv.run(["venv", "--quiet", "--clear", *python, str(place)])


def _install(wanted: Wanted, pins: Sequence[str], place: Path) -> list[str]:
    python = ["--python", str(python_of(place))]
    return ["pip", "install", "--quiet", "--no-deps", *python, *wanted.date_options, *pins]


def _install_sandboxed(
    uv: Uv, wanted: Wanted, pins: Sequence[str], place: Path, first: ToolError
) -> None:
    """Install where building is allowed: nothing but this one environment can be written there."""
    _empty(uv, wanted.interpreter, place)
    visible = [at_own_path(wanted.interpreter.prefix), at_own_path(place, writable=True)]
    try:
        uv.run_sandboxed(_install(wanted, pins, place), visible=visible)
    except ToolError as error:
        raise ToolError(f"{first.log}\n{error.log}") from error


def _compile(uv: Uv, interpreter: Interpreter, place: Path) -> None:
    """Compile to bytecode now: environments are read-only later, so runs could not keep it.

    In the sandbox, because a package that was built may have left links that lead elsewhere.
    `-I -S` keeps the packages' own start-up hooks (`.pth` files) from running; a file that does
    not compile (a template, Python 2) is no failure.
    """
    compileall = ["-I", "-S", "-m", "compileall", "-q", "-j", "2"]
    command = Command(
        argv=(str(interpreter.path), *compileall, str(site_packages(place, interpreter))),
        directory=str(place),
        mounts=(at_own_path(interpreter.prefix), at_own_path(place, writable=True)),
        limits=BUILD_LIMITS,
    )
    uv.sandbox.run(command)
