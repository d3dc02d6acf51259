"""The minter: the only part that holds the App's private key.

It runs in a process of its own (`minter_server`), or inside the one process of an embedded
installation; both are a `TokenSource` and an `AppCalls` to the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from bot.errors import ConfigurationError
from bot.github.app import AppClient, FailedDelivery
from bot.github.tokens import Identity, Permissions, Token, TokenSource
from generator.model.secret import Secret

MARGIN: Final = timedelta(minutes=10)
"""A token that is handed out lasts at least this long."""

_Key = tuple[int, str, frozenset[tuple[str, str]]]


class Redelivery(Protocol):
    """Finds webhooks that never arrived and has them sent again. Methods raise GitHubError."""

    def failed_deliveries(self, since: datetime) -> tuple[FailedDelivery, ...]:
        """Webhooks since a time (UTC) that never arrived, oldest first."""
        ...

    def redeliver(self, delivery: int) -> None:
        """Have GitHub deliver again."""
        ...


class AppCalls(TokenSource, Redelivery, Protocol):
    """All that the other processes may ask of the key's holder. Methods raise GitHubError."""

    def installation(self, full_name: str) -> int:
        """The installation on a repository. Raises NotFoundError."""
        ...


def unusable(address: str) -> ConfigurationError:
    """For an address that is none."""
    return ConfigurationError(
        f"{address!r} is no address of a minter: write unix:/path/of/socket or http://host:port"
    )


class Minter:
    """Gives tokens, which are kept until shortly before they end. Threads may share it."""

    def __init__(
        self, app: AppClient, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._app = app
        self._clock = clock
        self._lock = threading.Lock()
        self._tokens: dict[_Key, Token] = {}
        self._identity: Identity | None = None

    def token(self, installation: int, full_name: str, permissions: Permissions) -> Token:
        """A token that lasts ten minutes at least.

        Raises ForbiddenError, NotFoundError, GitHubError.
        """
        key = (installation, full_name.lower(), frozenset(permissions.items()))
        with self._lock:
            self._forget_ending()
            known = self._tokens.get(key)
        if known is not None:
            return known
        # Outside the lock: two threads may both make one, which does no harm; waiting would.
        made = self._app.create_token(installation, full_name, permissions)
        with self._lock:
            self._tokens[key] = made
        return made

    def refused(self, value: Secret) -> None:
        """Forget a token: those of an installation end with it, though they are still young."""
        gone = value.reveal()
        with self._lock:
            kept = {key: one for key, one in self._tokens.items() if one.value.reveal() != gone}
            self._tokens = kept

    def identity(self) -> Identity:
        """Which App this is; asked of GitHub once. Raises GitHubError."""
        if self._identity is None:
            self._identity = self._app.identity()
        return self._identity

    def installation(self, full_name: str) -> int:
        """The installation on a repository. Raises GitHubError, NotFoundError."""
        return self._app.installation(full_name)

    def failed_deliveries(self, since: datetime) -> tuple[FailedDelivery, ...]:
        """Webhooks since a time (UTC) that never arrived, oldest first. Raises GitHubError."""
        return self._app.failed_deliveries(since)

    def redeliver(self, delivery: int) -> None:
        """Have GitHub deliver again. Raises GitHubError, NotFoundError."""
        self._app.redeliver(delivery)

    def _forget_ending(self) -> None:
        soon = self._clock() + MARGIN
        self._tokens = {key: one for key, one in self._tokens.items() if one.expires_at > soon}
