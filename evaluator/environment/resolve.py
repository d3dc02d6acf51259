"""Resolves what a recipe asks for to exact releases, as of a date."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.interpreter import Interpreter
from evaluator.environment.once import content_key, make_once
from evaluator.environment.uv import ToolError, Uv, at_own_path

NO_DATE_LIMIT = "2999-01-01"


@dataclass(frozen=True)
class Wanted:
    """What is to be resolved: requirements (PEP 508) for an interpreter as of a date.

    `newer` are packages exempt from `date`; `without` names the project itself, which comes from
    its tree and must not be installed because something depends on it.
    """

    interpreter: Interpreter
    requirements: tuple[str, ...]
    date: datetime.date | None
    constraints: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    without: str = ""

    @property
    def key(self) -> str:
        """The content key of the resolution."""
        lists = (self.requirements, self.constraints, self.newer)
        inputs = [sorted(items) for items in lists]
        return content_key(self.interpreter.version, *inputs, self.date, self.without)

    @property
    def date_options(self) -> list[str]:
        """Options of uv for the date, which also bind what a build from source downloads."""
        if self.date is None:
            return []
        options = ["--exclude-newer", self.date.isoformat()]
        for name in self.newer:
            options += ["--exclude-newer-package", f"{name}={NO_DATE_LIMIT}"]
        return options


def resolve(uv: Uv, wanted: Wanted) -> tuple[str, ...]:
    """Exact pins (`name==version`), sorted by name.

    A resolution is kept for good: the index is not part of its key, so that a machine without
    network uses what was resolved with one. Raises ToolError with uv's explanation.
    """
    if not wanted.requirements:
        return ()
    made = make_once(
        uv.cache / "resolutions", wanted.key, lambda place: _compile(uv, wanted, place)
    )
    return tuple((made / "pins.txt").read_text(encoding="utf-8").splitlines())


def _compile(uv: Uv, wanted: Wanted, place: Path) -> None:
    place.mkdir()
    # A marker that never holds takes the project out of the resolution altogether.
    never = (f"{wanted.without} ; python_version < '0'",) if wanted.without else ()
    files = [
        str(_write(place / "requirements.in", wanted.requirements)),
        *("--overrides", str(_write(place / "overrides.txt", never))),
        *("--constraints", str(_write(place / "constraints.txt", wanted.constraints))),
        *("--output-file", str(place / "compiled.txt")),
    ]
    options = ["--quiet", "--no-header", "--no-annotate", *wanted.date_options]
    arguments = ["pip", "compile", *files, *options, "--python", str(wanted.interpreter.path)]
    try:
        uv.run([*arguments, "--no-build"])
    except ToolError as error:
        if uv.offline:
            raise
        _compile_sandboxed(uv, wanted, arguments, place, error)
    _write(place / "pins.txt", sorted((place / "compiled.txt").read_text("utf-8").splitlines()))


def _write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _compile_sandboxed(
    uv: Uv, wanted: Wanted, arguments: Sequence[str], place: Path, first: ToolError
) -> None:
    """Resolve again where building is allowed: old sdists tell their requirements no other way."""
    visible = [at_own_path(wanted.interpreter.prefix), at_own_path(place, writable=True)]
    try:
        uv.run_sandboxed(arguments, visible=visible)
    except ToolError as error:
        raise ToolError(f"{first.log}\n{error.log}") from error


def temporary_directory(uv: Uv) -> tempfile.TemporaryDirectory[str]:
    """A scratch directory on the disk of the cache, so that files can be moved into it."""
    uv.cache.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(dir=uv.cache, prefix="scratch-")
