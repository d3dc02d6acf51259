"""The App itself: its private key, and what only the holder of the key may ask of GitHub.

https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, NoReturn

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.errors import ConfigurationError, ForbiddenError, NotFoundError
from bot.github.api import Api, Connection, InvalidError
from bot.github.models import Id, Moment, Payload
from bot.github.tokens import Identity, Permissions, Token
from generator.model.secret import Secret

BACK_SECONDS: Final = 60
"""A JSON web token is dated back by this, as clocks differ."""
LIFE_SECONDS: Final = 9 * 60
"""GitHub takes tokens that end within ten minutes by its own clock."""
LONGEST_WAIT: Final = 5.0
"""Seconds."""


class PrivateKey:
    """The App's RSA key. It can sign, and cannot be printed or pickled."""

    __slots__ = ("_key", "source")

    def __init__(self, pem: bytes, source: str) -> None:
        """Raises ConfigurationError naming `source`."""
        try:
            key = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError):
            raise ConfigurationError(
                f"{source} is no unencrypted private key in PEM form; "
                "generate a new one on the App's settings page"
            ) from None
        if not isinstance(key, RSAPrivateKey):
            raise ConfigurationError(f"{source} is no RSA key; GitHub Apps sign with RSA")
        self._key = key
        self.source = source

    @classmethod
    def load(cls, path: Path) -> PrivateKey:
        """The key in a file. Raises ConfigurationError."""
        try:
            return cls(path.read_bytes(), str(path))
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error

    def sign(self, client_id: str, now: float) -> Secret:
        """A JSON web token (RS256) that says it is the App, at a time in seconds since 1970."""
        claims = {
            "iss": client_id,
            "iat": int(now) - BACK_SECONDS,
            "exp": int(now) + LIFE_SECONDS,
        }
        return Secret(jwt.encode(claims, self._key, algorithm="RS256"), "the App's web token")

    def __repr__(self) -> str:
        return f"PrivateKey({self.source})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not to be written anywhere")


class FailedDelivery(Payload):
    """A webhook that never arrived. `id` is the attempt's, `guid` its X-GitHub-Delivery."""

    id: Id
    guid: str
    event: str
    delivered_at: Moment


class _Attempt(FailedDelivery):
    """An attempt to deliver a webhook, whether it succeeded or not."""

    status_code: int = 0


class _MadeToken(Payload):
    token: str
    expires_at: Moment


class _Installation(Payload):
    id: Id


class AppClient:
    """What only the App can ask for. Every method raises GitHubError.

    Limits are hardly waited for: those who ask for a token wait themselves, and nobody else is to
    be held up by it.
    """

    def __init__(
        self,
        client_id: str,
        key: PrivateKey,
        connection: Connection | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        given = connection or Connection()
        longest = min(given.retries.longest_wait, LONGEST_WAIT)
        hasty = replace(given, retries=replace(given.retries, longest_wait=longest))
        self._api = Api(hasty, lambda: key.sign(client_id, clock()))

    def identity(self) -> Identity:
        """The App's id and slug."""
        return self._api.get(Identity, "/app")

    def create_token(self, installation: int, full_name: str, permissions: Permissions) -> Token:
        """A new token for one repository.

        Raises ForbiddenError where it is not granted, or the installation is suspended, and
        NotFoundError where the App is not installed any more.
        """
        name = full_name.partition("/")[2]
        if not name or not permissions:  # GitHub would give a token for everything
            raise ForbiddenError("a token is for one repository and for named permissions")
        body = {"repositories": [name], "permissions": dict(permissions)}
        path = f"/app/installations/{installation:d}/access_tokens"
        try:
            made = self._api.post(_MadeToken, path, body)
        except NotFoundError as error:
            raise NotFoundError(
                f"the App is not installed on {full_name} any more ({error})"
            ) from error
        except InvalidError as error:
            raise ForbiddenError(
                f"installation {installation} has not granted {_listed(permissions)} on "
                f"{full_name}: accept the App's permissions, or add the repository ({error})"
            ) from error
        return Token(Secret(made.token, "an installation token"), made.expires_at)

    def installation(self, full_name: str) -> int:
        """The installation on a repository. Raises NotFoundError."""
        return self._api.get(_Installation, f"/repos/{full_name}/installation").id

    def failed_deliveries(self, since: datetime) -> tuple[FailedDelivery, ...]:
        """Events since a time (UTC) of which no attempt succeeded, oldest first, each once."""
        arrived: set[str] = set()
        failed: dict[str, FailedDelivery] = {}
        for attempt in self._attempts(since):
            if 200 <= attempt.status_code < 300:
                arrived.add(attempt.guid)
            else:
                failed.setdefault(attempt.guid, FailedDelivery(**dict(attempt)))
        return tuple(one for one in reversed(failed.values()) if one.guid not in arrived)

    def redeliver(self, delivery: int) -> None:
        """Have an attempt made again, under the same X-GitHub-Delivery. Raises NotFoundError."""
        self._api.send("POST", f"/app/hook/deliveries/{delivery:d}/attempts")

    def _attempts(self, since: datetime) -> Iterator[_Attempt]:
        """The attempts since a time, newest first as GitHub lists them."""
        for attempt in self._api.pages(_Attempt, "/app/hook/deliveries"):
            if attempt.delivered_at < since:
                return
            yield attempt


def _listed(permissions: Permissions) -> str:
    return ", ".join(f"{name}: {level}" for name, level in sorted(permissions.items()))
