"""Who a person is on GitHub, and which repositories they share with the App.

The token that says so lives for some calls only: it is used, ended, and kept nowhere.
https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
"""

from __future__ import annotations

import base64
import hashlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

import requests
from pydantic import Field

from bot.errors import ConfigurationError, ForbiddenError, GitHubError, NotFoundError
from bot.github.api import Api, Connection, UncertainError
from bot.github.client import web_url
from bot.github.models import FullName, Id, Moment, Payload, checked
from bot.github.retrying import ApiRetryPolicy
from generator.model.secret import Secret

CALLBACK: Final = "/login/github/callback"
"""Where GitHub leads back to, below the public address."""
LOGIN_RETRIES: Final = ApiRetryPolicy(attempts=2, longest_wait=2.0)
"""Somebody waits before a browser."""
_SECONDS: Final = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Access:
    """A person's login, and by `owner/name` whether they may push to what they share with the App.

    Repositories that they may read only because everybody may are not among these.
    """

    login: str
    repositories: Mapping[str, bool]


class _Exchanged(Payload):
    access_token: str = ""
    error: str = ""
    error_description: str = ""


class _User(Payload):
    login: str


class _UserInstallation(Payload):
    id: Id
    suspended_at: Moment | None = None


class _Rights(Payload):
    push: bool = False


class _Shared(Payload):
    full_name: FullName
    permissions: _Rights = Field(default_factory=_Rights)


@dataclass(frozen=True)
class OAuthApp:
    """The App as people log in to it; `redirect_uri` is exactly one of its callback URLs."""

    client_id: str
    secret: Secret
    redirect_uri: str
    connection: Connection = field(default_factory=Connection)

    def authorize_url(self, state: str, verifier: str) -> str:
        """Where a browser is led; GitHub leads it back with `state` and a code.

        `verifier` is a random string of 43 to 128 characters (https://www.rfc-editor.org/rfc/rfc7636).
        """
        query = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": state,
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
        }
        return f"{web_url(self.connection.url)}/login/oauth/authorize?{urlencode(query)}"

    def access(self, code: str, verifier: str) -> Access:
        """What the person may see who came back with a code. Raises GitHubError."""
        token = self._exchange(code, verifier)
        try:
            return _access(Api(self.connection, lambda: token))
        finally:
            self._end(token)

    def check(self) -> None:
        """Raise ConfigurationError where GitHub does not take id and secret, GitHubError."""
        # GitHub looks at who asks first: a token that it does not know is "not found" to the App.
        answer = self._ask_about("POST", "no-token")
        if answer.status_code == requests.codes.unauthorized:
            raise ConfigurationError(
                "GitHub does not take the client secret: generate one on the App's page on GitHub, "
                "and set FIXGATE_CLIENT_SECRET; is FIXGATE_CLIENT_ID right?"
            )
        if answer.status_code not in (requests.codes.not_found, requests.codes.unprocessable):
            raise GitHubError(f"GitHub answers {answer.status_code} to a question about a token")

    def _exchange(self, code: str, verifier: str) -> Secret:
        given = {
            "client_id": self.client_id,
            "client_secret": self.secret.reveal(),
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": verifier,
        }
        address = f"{web_url(self.connection.url)}/login/oauth/access_token"
        # Never twice: a code holds once.
        answer = _asked("POST", address, data=given, headers={"Accept": "application/json"})
        try:
            found = checked(_Exchanged, answer.json())
        except ValueError:
            raise GitHubError(f"GitHub answered {answer.status_code}, and no JSON") from None
        if not found.access_token:
            raise ForbiddenError(
                f"GitHub gave no token: {found.error} {found.error_description}".strip()
            )
        return Secret(found.access_token, "a person's token")

    def _end(self, token: Secret) -> None:
        """It would end by itself in eight hours."""
        try:
            status = self._ask_about("DELETE", token.reveal()).status_code
        except GitHubError as error:
            _log.warning("a person's token could not be ended: %s", error)
        else:
            if status != requests.codes.no_content:
                _log.warning("a person's token could not be ended: GitHub answers %d", status)

    def _ask_about(self, verb: str, token: str) -> requests.Response:
        address = f"{self.connection.url.rstrip('/')}/applications/{self.client_id}/token"
        who = (self.client_id, self.secret.reveal())
        return _asked(verb, address, json={"access_token": token}, auth=who)


def _asked(verb: str, address: str, **more: Any) -> requests.Response:
    try:
        return requests.request(verb, address, timeout=_SECONDS, allow_redirects=False, **more)
    except requests.RequestException as error:
        raise UncertainError(f"GitHub cannot be reached: {type(error).__name__}") from error


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _access(api: Api) -> Access:
    login = api.get(_User, "/user").login
    return Access(login, {one.full_name: one.permissions.push for one in _shared(api)})


def _shared(api: Api) -> Iterator[_Shared]:
    for installation in api.pages(_UserInstallation, "/user/installations", "installations"):
        if installation.suspended_at is not None:
            continue
        path = f"/user/installations/{installation.id}/repositories"
        try:
            yield from api.pages(_Shared, path, "repositories")
        except (ForbiddenError, NotFoundError) as error:
            # It went, or was suspended, since it was listed.
            _log.info("installation %d cannot be looked at: %s", installation.id, error)
