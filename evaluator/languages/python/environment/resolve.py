"""Resolves what a recipe asks for to exact releases, as of a date."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import ToolError, at_own_path
from evaluator.languages.python.environment import watched_pytest
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.keys import short_key
from evaluator.storage.once import completed, make_once

NO_DATE_LIMIT = "2999-01-01"


_RELEASE = re.compile(r"^([\w.-]+)==\S+ +# via (.+)$", re.MULTILINE)
UNSOLVABLE = "No solution found"
UPLOADED_AGAIN = ("atomicwrites",)
"""Packages whose files all have a later date than that of their release: no date finds them."""
BUILD_TOOL_DATE = datetime.date(2019, 3, 1)
"""What names no tool to be built with is built with setuptools 40.8, which came in February 2019.

https://peps.python.org/pep-0517/#source-trees
"""
UNTOLD_BUILD_TOOLS = ("setuptools", "wheel")
"""A wheel of 2015 knows no interpreter of now: it cannot name what it compiled for one."""


@dataclass(frozen=True)
class ResolutionRequest:
    """What is to be resolved: requirements (PEP 508) as of a date.

    `newer` are packages exempt from `date`; `without` names what is not installed though something
    depends on it: the project itself, which comes from its tree, and what cannot be built.
    """

    requirements: tuple[str, ...]
    date: datetime.date | None
    constraints: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[object, ...]:
        """All that it consists of, in an order that does not depend on how it was written."""
        lists = (self.requirements, self.constraints, self.newer)
        dated = (*(sorted(items) for items in lists), self.date, " ".join(self.without))
        return (*dated, *self._newer_pytest, *self.overrides)

    @property
    def overrides(self) -> list[str]:
        """Requirements that stand in place of all others on the same package."""
        return watched_pytest.overrides((*self.requirements, *self.constraints))

    @property
    def _newer_pytest(self) -> list[str]:
        return self._no_older(watched_pytest.OLDEST_DATE, watched_pytest.PACKAGES)

    def _no_older(self, than: datetime.date, packages: Iterable[str]) -> list[str]:
        """Options of uv for packages of which none of an earlier date does: as of that one."""
        if self.date is None or self.date >= than:
            return []
        own = [f"{name}={than.isoformat()}" for name in packages if name not in self.newer]
        return [option for each in own for option in ("--exclude-newer-package", each)]

    @property
    def date_options(self) -> list[str]:
        """Options of uv for the date, which also bind what a build from source downloads."""
        if self.date is None:
            return []
        options = ["--exclude-newer", self.date.isoformat()]
        for name in dict.fromkeys((*self.newer, *UPLOADED_AGAIN)):
            options += ["--exclude-newer-package", f"{name}={NO_DATE_LIMIT}"]
        return [*options, *self._newer_pytest]

    @property
    def build_options(self) -> list[str]:
        """`date_options` where something is built: with a tool that may be newer than the date."""
        return [*self.date_options, *self._no_older(BUILD_TOOL_DATE, UNTOLD_BUILD_TOOLS)]


_NOT_YET = re.compile(r"there (?:are no versions|is no version) of ([\w.-]+)")
_TOO_NEW = re.compile(r"`([\w.-]+)` was filtered by `exclude-newer`")
_MOST_TOO_NEW = 3
"""Packages that a resolution takes without regard to the date, beside those that are named."""


@dataclass(frozen=True)
class Resolution:
    """Exact releases (`name==version`, sorted) and the interpreter that they were found for.

    `newer` are packages all of whose releases are younger than the date: they were taken back and
    uploaded again.
    """

    interpreter: Interpreter
    pins: tuple[str, ...]
    newer: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The content key. The path counts: the `python` of an environment is a link to it."""
        return short_key(self.interpreter.version, self.interpreter.path, *self.pins)


def resolve(uv: Uv, wanted: ResolutionRequest, interpreters: Sequence[Interpreter]) -> Resolution:
    """Resolve for the first interpreter for which everything is there as wheels.

    Where there is none (old packages on a new Python), for the first one with what must be built
    from source. A resolution is kept for good: the index is not part of its key, so that a machine
    without network uses what was resolved with one. Raises ToolError with uv's explanation.
    """
    if not wanted.requirements:
        return Resolution(interpreters[0], ())
    by_version = {interpreter.version: interpreter for interpreter in interpreters}
    key = _key(wanted, interpreters)
    made = make_once(_shelf(uv), key, lambda place: _resolve(uv, wanted, interpreters, place))
    version, *pins = _read(made / "pins.txt")
    newer = _read(made / "newer.txt") if (made / "newer.txt").is_file() else []
    return Resolution(by_version[version], tuple(pins), tuple(newer))


def requirers(
    uv: Uv, wanted: ResolutionRequest, interpreters: Sequence[Interpreter]
) -> Mapping[str, frozenset[str]]:
    """The releases that require each one of a resolution that was made before, by their names.

    "" among them is the request itself. Empty where nothing was resolved, or an older fixgate did.
    """
    with contextlib.suppress(FileNotFoundError):
        made = completed(_shelf(uv), _key(wanted, interpreters))
        text = (made / "compiled.txt").read_text(encoding="utf-8")
        return {line[1]: _origins(line[2]) for line in _RELEASE.finditer(text)}
    return {}


def _origins(text: str) -> frozenset[str]:
    """Constraints (`-c FILE`), such as a lock file's, and overrides ask for nothing."""
    names = (name for name in text.split(", ") if not name.startswith(("-c", "--override")))
    return frozenset("" if name.startswith("-") else name for name in names)


def _shelf(uv: Uv) -> Path:
    return uv.cache / "resolutions"


def _key(wanted: ResolutionRequest, interpreters: Sequence[Interpreter]) -> str:
    versions = dict.fromkeys(interpreter.version for interpreter in interpreters)
    return short_key(list(versions), *wanted.parts)


def _resolve(
    uv: Uv, wanted: ResolutionRequest, interpreters: Sequence[Interpreter], place: Path
) -> None:
    place.mkdir()
    newer: list[str] = []
    chosen = _solved(uv, wanted, interpreters, place)
    while isinstance(chosen, ToolError):
        too_new = _too_new(chosen)
        if not too_new or too_new in newer or len(newer) == _MOST_TOO_NEW:
            raise chosen
        newer.append(too_new)
        undated = dataclasses.replace(wanted, newer=(*wanted.newer, *newer))
        chosen = _solved(uv, undated, interpreters, place)
    pins = sorted(line.partition(" # ")[0].rstrip() for line in _read(place / "compiled.txt"))
    _write(place / "pins.txt", [chosen.version, *pins])
    _write(place / "newer.txt", newer)


def _solved(
    uv: Uv, wanted: ResolutionRequest, interpreters: Sequence[Interpreter], place: Path
) -> Interpreter | ToolError:
    """The interpreter that `compiled.txt` was written for, or why there is none."""
    arguments = _arguments(wanted, place)
    chosen = _with_wheels(uv, [*arguments, *wanted.date_options], interpreters)
    if isinstance(chosen, Interpreter) or uv.offline or UNSOLVABLE not in chosen.log:
        return chosen
    try:
        first = interpreters[0]
        _with_builds(uv, [*arguments, *wanted.build_options], first, place, chosen)
    except ToolError as error:
        return error
    return first


def _too_new(error: ToolError) -> str:
    """A package of which there was no release at the time, and is one now; "" for none."""
    there_now = {*_TOO_NEW.findall(error.log)}
    return next((name for name in _NOT_YET.findall(error.log) if name in there_now), "")


def _arguments(wanted: ResolutionRequest, place: Path) -> list[str]:
    # A marker that never holds takes a package out of the resolution altogether.
    never = [f"{name} ; python_version < '0'" for name in wanted.without]
    overrides = [*never, *wanted.overrides]
    constraints = [*watched_pytest.without_overridden(wanted.constraints, wanted.overrides)]
    files = [
        str(_write(place / "requirements.in", wanted.requirements)),
        *("--overrides", str(_write(place / "overrides.txt", overrides))),
        *("--constraints", str(_write(place / "constraints.txt", constraints))),
        *("--output-file", str(place / "compiled.txt")),
    ]
    return ["pip", "compile", *files, "--quiet", "--no-header", "--annotation-style=line"]


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _with_wheels(
    uv: Uv, arguments: Sequence[str], interpreters: Sequence[Interpreter]
) -> Interpreter | ToolError:
    """The first interpreter that wheels suffice for, or why they do not for the first one.

    Only that there is no solution leads to the next one: which interpreter is taken must not
    depend on whether the network failed for a moment.
    """
    failures: list[ToolError] = []
    for interpreter in interpreters:
        try:
            uv.run([*arguments, "--no-build", "--python", str(interpreter.path)])
        except ToolError as error:
            failures.append(error)
            if UNSOLVABLE not in error.log:
                break
        else:
            return interpreter
    return failures[0]


def _with_builds(
    uv: Uv, arguments: Sequence[str], interpreter: Interpreter, place: Path, failed: ToolError
) -> None:
    """Resolve where building is allowed: old sdists state their requirements in no other way."""
    visible = [at_own_path(interpreter.prefix), at_own_path(place, writable=True)]
    try:
        uv.run_sandboxed(
            [*arguments, "--python", str(interpreter.path)],
            visible=visible,
            purpose="asking packages without wheels what they need",
        )
    except ToolError as error:
        raise error.after(failed) from error
