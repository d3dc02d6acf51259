"""What each process of the App may know, asked of the settings that the process itself reads."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, cast

import click
from click.testing import CliRunner
from redis import Redis

import bot.commands
from bot.cli import main
from bot.errors import ConfigurationError
from bot.github.minter import AppCalls
from bot.github.minter_server import create_app
from bot.queue import JobQueue
from bot.settings import Settings, settings_from
from bot.store import Store
from bot.web import make_pages
from bot.web.health import Metrics
from generator.model.secret import Secret

SECRETS: Mapping[str, Callable[[Settings], object]] = {
    "webhook secret": Settings.webhook_secret,
    "dashboard token": lambda settings: settings.dashboard_token() or _refuse(),
    "client secret": lambda settings: settings.oauth_app() or _refuse(),
    "private key": Settings.private_key,
    "client id": lambda settings: settings.client_id,
    "minter secret": Settings.minter_secret,
}
MAY_KNOW: Mapping[str, set[str]] = {
    "web": {"webhook secret", "dashboard token", "client id", "client secret"},
    "minter": {"private key", "client id", "minter secret"},
    "worker-quick": {"minter secret"},
    "worker-long": {"minter secret"},
    "sweeper": {"minter secret"},
}
"""By process; a model's key is told apart by its name."""


class Watched(Mapping[str, str]):
    """An environment that remembers what was asked of it."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def known_secrets(environment: Mapping[str, str], data: Path) -> set[str]:
    """Which secrets a process with this environment can read; asserts that all of it is read."""
    watched = Watched({**environment, "FIXGATE_DATA_DIRECTORY": str(data)})
    settings = settings_from(watched)
    known = {name for name, read in SECRETS.items() if _can(read, settings)}
    given = {name for name in environment if name.startswith("FIXGATE_")}
    assert given - watched.asked <= {"FIXGATE_API_KEY"}, "set, but read by no process"
    return known


def parses(command: Sequence[str]) -> str:
    """The name of the command, which there is, with these options. Raises UsageError."""
    helped = CliRunner().invoke(main, [*command, "--help"])
    if helped.exit_code:
        raise click.UsageError(helped.output)
    found: click.Command = pkgutil.resolve_name(bot.commands.COMMANDS[command[0]][0])
    # Beyond `--help`, which stops at the first: the values of the options, too.
    found.make_context(command[0], list(command[1:]))
    return command[0]


def probes(command: str) -> set[str]:
    """The paths at which a process tells how it is; none where it serves nothing."""
    settings = settings_from({"FIXGATE_WEBHOOK_SECRET": 32 * "x"})
    if command == "serve":
        store, queue = Store("sqlite://"), JobQueue(Redis())
        app = make_pages(settings, store, queue, Metrics(store, queue))
    elif command == "minter":
        app = create_app(cast(AppCalls, None), Secret(32 * "x", "here"))  # nothing is minted here
    else:
        return set()
    return {rule.rule for rule in app.url_map.iter_rules()} & {"/healthz", "/readyz"}


def _can(read: Callable[[Settings], object], settings: Settings) -> bool:
    try:
        read(settings)
    except ConfigurationError:
        return False
    return True


def _refuse() -> NoReturn:
    raise ConfigurationError("none is given")
