"""Who looks at a page, and what they may see on it: what they may see on GitHub."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

import flask
from werkzeug.wrappers import Response

from bot.store.sessions import Login, LoginSessions
from bot.web.forms import excuse
from generator.model.secret import Secret

OPERATOR: Final = "operator"
"""How whoever has the token is called."""
OPERATOR_LIFE: Final = datetime.timedelta(hours=12)
_KEY, _BY_GITHUB = "key", "by_github"


@dataclass(frozen=True)
class Visitor:
    """Who looks: somebody of GitHub, the operator, who sees everything, or a stranger (None).

    Repositories that `public` names (`owner/name`, `owner/*`) can be seen by all of them.
    """

    who: Login | None
    public: Sequence[str] = ()

    @property
    def is_operator(self) -> bool:
        """Whether they see everything."""
        return self.who is not None and self.who.access is None

    @property
    def name(self) -> str:
        """What they are called, "" for strangers."""
        return "" if self.who is None else self.who.login

    def may_see(self, full_name: str) -> bool:
        """Whether they may see what is about a repository."""
        if self.is_operator or any(fnmatchcase(full_name, one) for one in self.public):
            return True
        return self.who is not None and full_name in (self.who.access or {})

    def may_write(self, full_name: str) -> bool:
        """Whether they may stop and repeat jobs of a repository."""
        if self.who is None or self.who.access is None:
            return self.is_operator
        return self.who.access.get(full_name, False)


@dataclass(frozen=True)
class Entrance:
    """Lets people in by a session at the server, and the operator by the token as well."""

    sessions: LoginSessions
    token: Secret | None
    public: Sequence[str] = ()

    def enter(self, who: Login, life: datetime.timedelta) -> None:
        """Begin a session under a new key, whatever key the browser came with."""
        self.leave()
        flask.session[_KEY] = self.sessions.begin(who, life)
        flask.session[_BY_GITHUB] = who.access is not None
        flask.session.permanent = True

    def leave(self) -> None:
        """End the session at the server: a copy of the cookie is worth nothing."""
        self.sessions.end(flask.session.get(_KEY, ""))
        flask.session.clear()

    def guard(self) -> Response | None:
        """Before each request: who it is; strangers are sent to log in, unless some is public."""
        flask.g.visitor = visitor = self._visitor()
        if visitor.who is None and (not self.public or flask.session.get(_BY_GITHUB)):
            return to_login()
        return None

    def is_token(self, given: str) -> bool:
        """Whether this is the token; compared in constant time."""
        return self.token is not None and hmac.compare_digest(_hashed(self.token), _hash(given))

    def _visitor(self) -> Visitor:
        bearer = flask.request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.is_token(bearer):
            excuse()
            return Visitor(Login(OPERATOR, None), self.public)
        return Visitor(self.sessions.find(flask.session.get(_KEY, "")), self.public)


def visitor() -> Visitor:
    """Who looks at the page that is being made, which is behind a guard."""
    found: Visitor = flask.g.visitor
    return found


def to_login() -> Response:
    """To the login, and back; who came by GitHub before goes there at once, for the newest word."""
    wanted = flask.request.full_path.rstrip("?") if flask.request.method == "GET" else "/"
    page = "login.by_github" if flask.session.get(_BY_GITHUB) else "login.ask"
    return flask.redirect(flask.url_for(page, next=wanted))


def _hashed(token: Secret) -> bytes:
    return _hash(token.reveal())


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
