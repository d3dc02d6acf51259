"""The simulator as one object: a context in which the simulated GitHub runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path

from bot.demo.simulator.courier import Courier, DeliveryAttempt
from bot.demo.simulator.meter import Meter
from bot.demo.simulator.operations import apps
from bot.demo.simulator.people import Person
from bot.demo.simulator.records import (
    AccountKind,
    App,
    AppSecrets,
    CheckRun,
    Installation,
    Repository,
    Role,
)
from bot.demo.simulator.server import Server, application
from bot.demo.simulator.settings import ApiLimits, Chance, Clock, Faults, Site
from bot.demo.simulator.world import Exchange, Simulation, World


class GitHubSimulator:
    """A GitHub on a port of this machine, from `with` to its end.

    `api_url` is what clients call the base address (on GitHub Enterprise it ends in /api/v3).
    """

    def __init__(
        self,
        *,
        enterprise: bool = False,
        limits: ApiLimits | None = None,
        faults: Faults | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        """Takes the port, but answers only inside `with`. Raises OSError."""
        self._server = Server(host, port)
        web = f"http://{host}:{self._server.port}"
        api = f"{web}/api/v3" if enterprise else web
        graphql = f"{web}/api/graphql" if enterprise else f"{web}/graphql"
        self.site = Site(web, api, graphql, enterprise)
        self._folder = tempfile.TemporaryDirectory(prefix="github-", ignore_cleanup_errors=True)
        clock, chance = Clock(), Chance(faults or Faults())
        used = limits or ApiLimits()
        courier = Courier(self.site, used, clock, chance)
        self.world = World(Path(self._folder.name), self.site, used, clock, courier, chance)
        self._state = Simulation(self.world, Meter(used, clock))

    def __enter__(self) -> GitHubSimulator:
        """Begin to answer."""
        self.world.courier.start()
        self._server.start(application(self._state))
        return self

    def __exit__(self, *_: object) -> None:
        """End, and leave nothing behind."""
        self.world.courier.stop()
        self._server.stop()
        self._folder.cleanup()

    @property
    def api_url(self) -> str:
        """The base address of the REST API."""
        return self.site.api

    @property
    def web_url(self) -> str:
        """The base address of pages and of git."""
        return self.site.web

    @property
    def graphql_url(self) -> str:
        """The address of GraphQL."""
        return self.site.graphql

    @property
    def exchanges(self) -> list[Exchange]:
        """All requests that were answered so far, oldest first."""
        return list(self._state.exchanges)

    @property
    def deliveries(self) -> list[DeliveryAttempt]:
        """All attempts to deliver webhooks so far, oldest first."""
        return list(self.world.courier.deliveries)

    def add_user(self, login: str) -> Person:
        """A new person."""
        with self.world.lock:
            return Person(self.world, self.world.add_account(login))

    def add_organization(self, login: str) -> None:
        """A new organisation, which owns repositories and Apps but does nothing itself."""
        with self.world.lock:
            self.world.add_account(login, AccountKind.ORGANIZATION)

    def add_repository(
        self,
        full_name: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        private: bool = True,
        default_branch: str = "main",
    ) -> Repository:
        """A new repository with a first commit of some files. Raises ValueError."""
        login, _, name = full_name.partition("/")
        with self.world.lock:
            owner = self.world.account(login)
            made = self.world.add_repository(
                owner, name, private=private, default_branch=default_branch
            )
            signature = self.world.signature(owner)
            first = files or {"README.md": f"# {name}\n"}
            made.git.commit(default_branch, first, "First commit", signature)
            return made

    def repository(self, full_name: str) -> Repository:
        """A repository with all that is in it, to look at. Raises RefusedError (404)."""
        return self.world.repository(full_name)

    def grant(self, full_name: str, login: str, role: str) -> None:
        """Give somebody a role ("read", "triage", "write", "maintain", "admin") there."""
        with self.world.lock:
            account = self.world.account(login)
            self.world.repository(full_name).roles[account.login.lower()] = Role(role)

    def withdraw(self, full_name: str, login: str) -> None:
        """Take somebody's role there away."""
        with self.world.lock:
            self.world.repository(full_name).roles.pop(login.lower(), None)

    def check_runs(self, full_name: str, commit: str) -> list[CheckRun]:
        """The check runs on a commit, oldest first, to look at."""
        with self.world.lock:
            suites = self.world.repository(full_name).suites
            return [run for suite in suites if suite.head_commit == commit for run in suite.runs]

    def create_app(
        self,
        name: str,
        permissions: Mapping[str, str],
        events: Iterable[str],
        *,
        webhook_url: str,
        owner: str,
        secret: str | None = None,
        private_key: str | None = None,
        url: str = "http://127.0.0.1/",
        callback_urls: Iterable[str] = (),
    ) -> AppSecrets:
        """An App, as if made by hand on its settings page. Raises ManifestError."""
        with self.world.lock:
            return apps.create_app(
                self.world,
                self.world.account(owner),
                name,
                permissions,
                events,
                url=url,
                webhook_url=webhook_url,
                secret=secret,
                private_key=private_key,
                callback_urls=callback_urls,
            )

    def change_app(
        self,
        app_id: int,
        *,
        webhook_url: str | None = None,
        permissions: Mapping[str, str] | None = None,
        events: Iterable[str] | None = None,
    ) -> None:
        """Change what an App asks for; installations keep what they accepted."""
        with self.world.lock:
            app = self.world.apps[app_id]
            app.webhook_url = app.webhook_url if webhook_url is None else webhook_url
            app.permissions = app.permissions if permissions is None else dict(permissions)
            app.events = app.events if events is None else tuple(events)

    def app(self, app_id: int) -> App:
        """What is known of an App."""
        return self.world.apps[app_id]

    def installation(self, app_id: int, login: str) -> Installation:
        """The installation of an App on an account. Raises KeyError."""
        for found in self.world.installations.values():
            if found.app.id == app_id and found.account.login == login:
                return found
        raise KeyError(f"App {app_id} is not installed on {login}")

    def use(self, faults: Faults) -> None:
        """Let other things go wrong from now on; `Faults()` for none."""
        self.world.chance.use(faults)

    def advance(self, seconds: float) -> None:
        """Put the clock forward: tokens expire, limits are reset, deliveries are forgotten.

        JSON web tokens are still measured by this machine's clock, by which they are made.
        """
        self.world.clock.offset += timedelta(seconds=seconds)

    def settle(self, seconds: float = 30.0) -> None:
        """Wait until all webhooks are delivered or failed. Raises TimeoutError."""
        self.world.courier.settle(seconds)
