"""Asks the minter: what every process uses that holds no key."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from bot.errors import (
    ConflictError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.api import UncertainError
from bot.github.app import FailedDelivery, moment
from bot.github.minter_server import unusable
from bot.github.reading import Fields
from bot.github.tokens import Identity, Permissions, Token
from generator.model.secret import Secret

_TIMEOUT: Final = 150.0
"""Seconds; the minter itself may wait for GitHub."""
_WAITS: Final = (0.5, 1.0, 2.0, 4.0)
"""Seconds; then whatever was wanted is to come back later."""
_ERRORS: Mapping[str, type[GitHubError]] = {
    "ConflictError": ConflictError,
    "ForbiddenError": ForbiddenError,
    "NotFoundError": NotFoundError,
    "UncertainError": UncertainError,
}


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=_TIMEOUT)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class MinterClient:
    """An `AppCalls` that asks a minter at `unix:/path` or `http://host:port`.

    Every method raises GitHubError; UncertainError where the minter does not answer, for the
    seconds in which it may just be restarted. `sleep` waits.
    """

    def __init__(
        self, address: str, secret: Secret, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Raises ConfigurationError where the address is none."""
        self._sleep = sleep
        self.address = address
        self._place = urlsplit(address)
        self._secret = secret
        self._identity: Identity | None = None
        self._connection().close()

    def token(self, installation: int, full_name: str, permissions: Permissions) -> Token:
        """A token that lasts ten minutes at least. Raises ForbiddenError, NotFoundError."""
        asked = {"installation": installation, "repository": full_name}
        found = self._ask("token", {**asked, "permissions": dict(permissions)})
        value = Secret(found.text("token"), "an installation token")
        return Token(value, moment(found, "expires_at"))

    def refused(self, value: Secret) -> None:
        """GitHub does not take a token any more: it is not handed out again."""
        self._ask("refused", {"token": value.reveal()})

    def identity(self) -> Identity:
        """Which App this is; asked once."""
        if self._identity is None:
            found = self._ask("identity", {})
            self._identity = Identity(found.number("id"), found.text("slug"))
        return self._identity

    def installation(self, full_name: str) -> int:
        """The installation on a repository. Raises NotFoundError."""
        return self._ask("installation", {"repository": full_name}).number("installation")

    def failed_deliveries(self, since: datetime) -> tuple[FailedDelivery, ...]:
        """Webhooks since a time (with its zone) that never arrived, oldest first."""
        found = self._ask("failed-deliveries", {"since": since.isoformat()})
        return tuple(
            FailedDelivery(
                one.number("id"), one.text("guid"), one.text("event"), moment(one, "delivered_at")
            )
            for one in found.objects("deliveries")
        )

    def redeliver(self, delivery: int) -> None:
        """Have GitHub deliver again. Raises NotFoundError."""
        self._ask("redeliver", {"delivery": delivery})

    def _ask(self, what: str, body: object) -> Fields:
        """Everything may be asked twice: a second token, or redelivery, does no harm."""
        for wait in _WAITS:
            try:
                return self._ask_once(what, body)
            except UncertainError as error:
                if not isinstance(error.__cause__, ConnectionError | FileNotFoundError):
                    raise
            self._sleep(wait)
        return self._ask_once(what, body)

    def _ask_once(self, what: str, body: object) -> Fields:
        headers = {
            "Authorization": f"Bearer {self._secret.reveal()}",
            "Content-Type": "application/json",
        }
        connection = self._connection()
        try:
            connection.request("POST", f"/{what}", json.dumps(body), headers)
            answer = connection.getresponse()
            status, data = answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            told = f"the minter at {self.address} does not answer ({error}); is it running?"
            raise UncertainError(told) from error
        finally:
            connection.close()
        if status >= 400:
            raise _error(Fields(data))
        return Fields(data)

    def _connection(self) -> http.client.HTTPConnection:
        place = self._place
        if place.scheme == "unix" and place.path:
            return _UnixConnection(place.path)
        if place.scheme == "http" and place.hostname and place.port:
            return http.client.HTTPConnection(place.hostname, place.port, timeout=_TIMEOUT)
        raise unusable(self.address)


def _error(told: Fields) -> GitHubError:
    kind, message = told.text("error", ""), told.text("message", "the minter refused")
    if kind == "RateLimitedError":
        seconds = told.decimal("seconds")
        return RateLimitedError(message, seconds=seconds)
    return _ERRORS.get(kind, GitHubError)(message)
