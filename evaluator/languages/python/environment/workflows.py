"""What a project's workflows (GitHub Actions) say of the PostgreSQL that its tests use.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax

Nothing is worked out: what holds an expression (`${{ ... }}`) is left, as only GitHub knows it.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

NAME: Final = r"[A-Za-z_][A-Za-z0-9_$-]{0,62}"
"""What a role, a database or an extension may be called; needs only double quotes in SQL."""
_LARGEST_FILE_BYTES: Final = 64 * 1024
_LONGEST_VALUE: Final = 500
_LONGEST_SCRIPT: Final = 10_000
_MOST_FILES: Final = 20
_MOST_ITEMS: Final = 100
"""How many jobs, steps or variables are looked at, of each; people have fewer."""
_MOST_NAMES: Final = 8
_IMAGE: Final = re.compile(r"(?:[\w.:-]+/)*postgres(?:ql)?(?=[:@]|\Z)")
_PORTS: Final = re.compile(r"(\d{1,5}):5432(?:/tcp)?")
USUAL_PORT: Final = 5432
_TESTS: Final = re.compile(r"test|\btox\b|\bnox\b")
_ELSEWHERE: Final = re.compile(r"macos|windows", re.IGNORECASE)
_ABOUT_DATABASES: Final = re.compile(
    r"PG[A-Z]+|(?:.*_)?(?:PG|PSQL|POSTGRES(?:QL)?|PSYCOPG\d?|DATABASES?|DB|DSN|SQLALCHEMY)(?:_.*)?"
)
"""The names of variables that say where a database is, how to come in, or which one is used."""
_ADDRESS: Final = re.compile(r"postgres(?:ql)?(?:\+\w+)?://|\bhost=\S.*\buser=|\buser=\S.*\bhost=")
_OTHER_SERVERS: Final = re.compile(r"mysql|maria|sqlite|oracle|mssql|mongo|redis", re.IGNORECASE)
_FOR_SERVERS: Final = frozenset({"PGDATA"})
_CREATED: Final = rf'(?:IF\s+NOT\s+EXISTS\s+)?(?!IF\b)\\?"?({NAME})\b'
_MADE: Final = {
    "roles": re.compile(rf"\bCREATE\s+(?:ROLE|USER)\s+{_CREATED}", re.IGNORECASE),
    "databases": re.compile(
        rf"\bCREATE\s+DATABASE\s+{_CREATED}|\bcreatedb\b[^;|&]{{0,200}}\s({NAME})$",
        re.IGNORECASE,
    ),
    "extensions": re.compile(rf"\bCREATE\s+EXTENSION\s+{_CREATED}", re.IGNORECASE),
}
"""What commands of a workflow make before the tests."""


@dataclass(frozen=True)
class DatabaseInWorkflows:
    """What jobs with a PostgreSQL beside them have there, and what they tell their tests of it.

    `used` is whether there is any such job. Each `variables` is the first that a job gives.
    """

    used: bool = False
    roles: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    port: int = USUAL_PORT
    variables: Mapping[str, str] = field(default_factory=dict)


def database_in_workflows(tree: Path) -> DatabaseInWorkflows:
    """What the workflows of a tree say; those that cannot be read say nothing."""
    texts = itertools.islice(_texts(tree), _MOST_FILES)
    jobs = [job for text in texts for job in _jobs(text)]
    served = [job for job in jobs if job.services]
    variables: dict[str, str] = {}
    for job in (*served, *jobs):
        variables = {**job.variables, **variables}
    return DatabaseInWorkflows(
        used=bool(served),
        roles=_distinct(n for job in served for n in (*job.roles, *job.made("roles"))),
        databases=_distinct(n for job in served for n in (*job.databases, *job.made("databases"))),
        extensions=_distinct(n for job in served for n in job.made("extensions")),
        port=next((job.port for job in served), USUAL_PORT),
        variables=variables,
    )


@dataclass(frozen=True)
class _Job:
    """One job that runs on Linux; `inherited` are the variables of its whole workflow."""

    data: Mapping[str, Any]
    inherited: Mapping[str, Any]

    @functools.cached_property
    def services(self) -> Mapping[str, Mapping[str, Any]]:
        """Its PostgreSQL servers by name."""
        named = _mapping(self.data.get("services")).items()
        found = ((name, each) for name, each in named if _is_postgresql(_mapping(each)))
        return dict(itertools.islice(found, _MOST_NAMES))

    @property
    def roles(self) -> Iterator[str]:
        for service in self.services.values():
            yield from _name(_mapping(service.get("env")).get("POSTGRES_USER"))

    @property
    def databases(self) -> Iterator[str]:
        """By default, the image makes one that is called as its user."""
        for service in self.services.values():
            told = _mapping(service.get("env"))
            yield from _name(told.get("POSTGRES_DB") or told.get("POSTGRES_USER"))

    @property
    def port(self) -> int:
        """Where its steps find the server."""
        if "container" in self.data:
            return USUAL_PORT
        ports = (port for each in self.services.values() for port in _list(each.get("ports")))
        found = (match for port in ports if (match := _PORTS.fullmatch(_text(port))))
        return next((int(match[1]) for match in found if int(match[1]) < 65536), USUAL_PORT)

    def made(self, kind: str) -> Iterator[str]:
        """The names of what its commands make of a kind."""
        scripts = (step["run"][:_LONGEST_SCRIPT] for step in self._steps())
        for line in (line for script in scripts for line in script.splitlines()):
            for found in () if _OTHER_SERVERS.search(line) else _MADE[kind].finditer(line):
                yield next(filter(None, found.groups()))

    @property
    def variables(self) -> Mapping[str, str]:
        """What its steps are told of PostgreSQL, those that run tests first."""
        ordered = sorted(self._steps(), key=lambda step: not _TESTS.search(step["run"]))
        places = [*(step.get("env") for step in ordered), self.data.get("env"), self.inherited]
        found: dict[str, str] = {}
        for place in places:
            found = {**dict(self._told(_mapping(place))), **found}
        return found

    def _told(self, variables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for name, value in itertools.islice(variables.items(), _MOST_ITEMS):
            if _is_literal(name, _text(value)):
                text = self._as_seen_here(name, value)
                if self._concerns(name, text):
                    yield name, text

    def _concerns(self, name: str, text: str) -> bool:
        """A job without a server of its own may be about another kind, but for addresses."""
        if _OTHER_SERVERS.search(f"{name} {text}") or name in _FOR_SERVERS:
            return False
        by_name = bool(self.services) and _ABOUT_DATABASES.fullmatch(name) is not None
        return by_name or _ADDRESS.search(text) is not None

    def _as_seen_here(self, name: str, text: str) -> str:
        """In a container, a job finds its services by their names, which mean nothing here."""
        for host in self.services if "container" in self.data else ():
            if name.endswith("HOST") and text == host:
                return "127.0.0.1"
            text = re.sub(rf"(@|\bhost=){re.escape(host)}(?=[:/\s]|$)", r"\g<1>127.0.0.1", text)
        return text

    def _steps(self) -> Iterator[Mapping[str, Any]]:
        """Those that run commands."""
        for step in _list(self.data.get("steps"))[:_MOST_ITEMS]:
            if _text(_mapping(step).get("run")):
                yield step


def _texts(tree: Path) -> Iterator[str]:
    """The workflows that have to do with PostgreSQL."""
    folder = tree / ".github" / "workflows"
    for file in sorted((*folder.glob("*.yml"), *folder.glob("*.yaml"))):
        if file.is_file() and not file.is_symlink() and file.stat().st_size < _LARGEST_FILE_BYTES:
            text = file.read_text(encoding="utf-8", errors="replace")
            if "postgres" in text.lower():
                yield text


def _jobs(text: str) -> Iterator[_Job]:
    try:
        # Makes only texts, lists and mappings, and unlike the safe one it merges no mappings, which
        # can make more of a file than memory holds. That of libyaml dies of deep nesting.
        data = _mapping(yaml.load(text, Loader=yaml.BaseLoader))  # noqa: S506
    except (yaml.YAMLError, RecursionError):
        return
    for job in itertools.islice(_mapping(data.get("jobs")).values(), _MOST_ITEMS):
        if not _ELSEWHERE.search(_text(_mapping(job).get("runs-on"))):
            yield _Job(_mapping(job), _mapping(data.get("env")))


def _is_postgresql(service: Mapping[str, Any]) -> bool:
    return _IMAGE.match(_text(service.get("image"))) is not None


def _is_literal(name: str, text: str) -> bool:
    """Whether it is a plain variable, whose value tests have as it stands there."""
    if re.fullmatch(r"[A-Z][A-Z0-9_]{0,99}", name) is None or not 0 < len(text) <= _LONGEST_VALUE:
        return False
    return "${{" not in text and text.isprintable()


def _name(value: object) -> Iterator[str]:
    if re.fullmatch(NAME, _text(value)):
        yield _text(value)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """No more than tests need: each database costs every run some time."""
    return tuple(dict.fromkeys(names))[:_MOST_NAMES]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
