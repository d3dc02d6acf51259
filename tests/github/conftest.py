"""The App's side of GitHub, against the simulated GitHub over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bot.demo.simulator import ApiLimits, GitHubSimulator
from bot.github.api import Connection
from bot.github.app import AppClient, PrivateKey
from bot.github.client import InstalledGitHub, InstalledRepository
from bot.github.minter import Minter
from bot.github.retrying import ApiRetryPolicy
from bot.github.types import Check
from tests.demo.simulator.conftest import (
    Studio,
    build,
    enterprise,
    receiver,
    receiving,
    studio,
    webhook_examples,
)

__all__ = ["enterprise", "receiver", "studio", "webhook_examples"]


@dataclass(frozen=True)
class Room:
    """The studio of the simulator's tests, and the App's clients on it; waits are only noted."""

    studio: Studio
    waits: list[float] = field(default_factory=list)

    @property
    def github(self) -> GitHubSimulator:
        return self.studio.github

    @property
    def connection(self) -> Connection:
        return Connection(self.github.api_url, ApiRetryPolicy(attempts=8), sleep=self.waits.append)

    @property
    def key(self) -> PrivateKey:
        return PrivateKey(self.studio.app.private_key.encode(), "the test")

    @property
    def app(self) -> AppClient:
        return AppClient(self.studio.app.client_id, self.key, self.connection)

    def minter(self) -> Minter:
        return Minter(self.app)

    def repository(self, *, write: bool = True) -> InstalledRepository:
        github = InstalledGitHub(self.minter(), self.connection)
        return github.repository(self.studio.installation, self.studio.repository, write=write)

    def head(self) -> str:
        return self.github.repository(self.studio.repository).git.branches()["main"]

    def asked(self, method: str, end: str) -> int:
        """How many requests there were for paths with this end."""
        done = self.github.exchanges
        return sum(one.method == method and one.path.endswith(end) for one in done)


@pytest.fixture
def room(studio: Studio) -> Room:
    return Room(studio)


@pytest.fixture
def enterprise_room(enterprise: Studio) -> Room:
    return Room(enterprise)


@pytest.fixture
def tight_room() -> Iterator[Room]:
    """With limits of GitHub that a test can reach."""
    limits = ApiLimits(requests_an_hour=6)
    with receiving() as taken, GitHubSimulator(limits=limits) as github:
        yield Room(build(github, taken))


def check(head: str, **more: object) -> Check:
    given = {"key": "verify:alice/calc:1:0", "title": "Fixes #1", "summary": "All good", **more}
    return Check(head_sha=head, **given)  # type: ignore[arg-type]
