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
from bot.github.app import FailedDelivery
from bot.github.minter import unusable
from bot.github.models import Id, Many, Model, Moment, Payload, checked
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


class _Token(Payload):
    token: str
    expires_at: Moment


class _Installed(Payload):
    installation: Id


class _Failed(Payload):
    deliveries: Many[FailedDelivery]


class _Refusal(Payload):
    error: str = ""
    message: str = "the minter refused"
    seconds: float = 0.0


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
        found = self._ask(_Token, "token", {**asked, "permissions": dict(permissions)})
        return Token(Secret(found.token, "an installation token"), found.expires_at)

    def refused(self, value: Secret) -> None:
        """GitHub does not take a token any more: it is not handed out again."""
        self._ask(Payload, "refused", {"token": value.reveal()})

    def identity(self) -> Identity:
        """Which App this is; asked once."""
        if self._identity is None:
            self._identity = self._ask(Identity, "identity", {})
        return self._identity

    def installation(self, full_name: str) -> int:
        """The installation on a repository. Raises NotFoundError."""
        return self._ask(_Installed, "installation", {"repository": full_name}).installation

    def failed_deliveries(self, since: datetime) -> tuple[FailedDelivery, ...]:
        """Webhooks since a time (with its zone) that never arrived, oldest first."""
        return self._ask(_Failed, "failed-deliveries", {"since": since.isoformat()}).deliveries

    def redeliver(self, delivery: int) -> None:
        """Have GitHub deliver again. Raises NotFoundError."""
        self._ask(Payload, "redeliver", {"delivery": delivery})

    def _ask(self, model: type[Model], what: str, body: object) -> Model:
        """Everything may be asked twice: a second token, or redelivery, does no harm."""
        for wait in _WAITS:
            try:
                return checked(model, self._ask_once(what, body))
            except UncertainError as error:
                if not isinstance(error.__cause__, ConnectionError | FileNotFoundError):
                    raise
            self._sleep(wait)
        return checked(model, self._ask_once(what, body))

    def _ask_once(self, what: str, body: object) -> object:
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
            problem = f"the minter at {self.address} does not answer ({error}); is it running?"
            raise UncertainError(problem) from error
        finally:
            connection.close()
        if status >= 400:
            raise _error(checked(_Refusal, data))
        return data

    def _connection(self) -> http.client.HTTPConnection:
        place = self._place
        if place.scheme == "unix" and place.path:
            return _UnixConnection(place.path)
        if place.scheme == "http" and place.hostname and place.port:
            return http.client.HTTPConnection(place.hostname, place.port, timeout=_TIMEOUT)
        raise unusable(self.address)


def _error(refusal: _Refusal) -> GitHubError:
    if refusal.error == "RateLimitedError":
        return RateLimitedError(refusal.message, seconds=refusal.seconds)
    return _ERRORS.get(refusal.error, GitHubError)(refusal.message)
