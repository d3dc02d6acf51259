"""People log in by GitHub, and see what they see there; the operator by the token."""

from __future__ import annotations

import datetime
import logging
import re
import secrets
from collections.abc import Callable
from typing import Final

import flask
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from bot.errors import GitHubError
from bot.github.manifest import is_state, new_state
from bot.github.oauth import CALLBACK, OAuthApp
from bot.store.sessions import Login
from bot.web import forms
from bot.web.visitors import OPERATOR, OPERATOR_LIFE, Entrance
from generator.model.secret import Secret

_PATH = re.compile(r"/(?![/\\])[\x21-\x7e]*")
"""Browsers take `//host` and `/\\host` for other sites, and pass over line breaks and tabs."""
LINK_SECONDS: Final = 600
WRONG, LATE = "This is not the token.", "This link is too old: make another one by `fixgate login`."
ELSEWHERE = "This login did not begin in this browser, or it is too long ago: begin again."
CLOSED = "People cannot log in with GitHub here: FIXGATE_CLIENT_SECRET is not set."
DENIED = "GitHub was told not to let fixgate know who you are."
FAILED = "GitHub did not say who you are; try again, and see the log of fixgate if that goes on."
_Answer = flask.typing.ResponseReturnValue
_Page = Callable[[str, int], _Answer]
_STATE, _VERIFIER, _NEXT = "state", "verifier", "next"
_log = logging.getLogger(__name__)


def blueprint(
    entrance: Entrance,
    oauth: OAuthApp | None = None,
    life: datetime.timedelta = datetime.timedelta(0),
) -> flask.Blueprint:
    """GET and POST /login, POST /logout, and the way to GitHub and back.

    Who came by GitHub stays in for `life`, and is then looked at again.
    """
    routes = flask.Blueprint("login", __name__)
    routes.before_request(forms.check)
    ways = {"by_token": entrance.token is not None, "by_github": oauth is not None}

    def page(problem: str = "", status: int = 200) -> _Answer:
        wanted = inside(flask.request.args.get("next", "/"))
        return flask.render_template("login.html", problem=problem, next=wanted, **ways), status

    @routes.get("/login")
    def ask() -> _Answer:
        return page()

    @routes.post("/logout")
    def leave() -> _Answer:
        entrance.leave()
        return flask.redirect("/login")

    _add_token(routes, entrance, page)
    _add_github(routes, entrance, page, oauth, life)
    return routes


def _add_token(routes: flask.Blueprint, entrance: Entrance, page: _Page) -> None:
    def entered() -> None:
        entrance.enter(Login(OPERATOR, None), OPERATOR_LIFE)

    @routes.post("/login")
    def enter() -> _Answer:
        if not entrance.is_token(flask.request.form.get("token", "").strip()):
            return page(WRONG, 403)
        entered()
        return flask.redirect(inside(flask.request.args.get("next", "/")))

    @routes.get("/login/<code>")
    def follow(code: str) -> _Answer:
        if entrance.token is None or not _is_link(entrance.token, code):
            return page(LATE, 403)
        entered()
        return flask.redirect("/")


def _add_github(
    routes: flask.Blueprint,
    entrance: Entrance,
    page: _Page,
    oauth: OAuthApp | None,
    life: datetime.timedelta,
) -> None:
    @routes.get("/login/github")
    def by_github() -> _Answer:
        return page(CLOSED, 404) if oauth is None else _to_github(oauth)

    @routes.get(CALLBACK)
    def back() -> _Answer:
        state, verifier, wanted = (_popped(name) for name in (_STATE, _VERIFIER, _NEXT))
        if oauth is None or not is_state(state, flask.request.args.get("state", "")):
            return page(ELSEWHERE, 400)
        if "error" in flask.request.args:
            return page(DENIED, 403)
        try:
            access = oauth.access(flask.request.args.get("code", ""), verifier)
        except GitHubError as error:
            _log.warning("somebody could not log in: %s", error)
            return page(FAILED, 502)
        entrance.enter(Login(access.login, access.repositories), life)
        return flask.redirect(inside(wanted))


def _to_github(oauth: OAuthApp) -> Response:
    """What the browser has to come back with, and what only it can exchange, stay in its cookie."""
    flask.session[_STATE] = state = new_state()
    flask.session[_VERIFIER] = verifier = secrets.token_urlsafe(48)
    flask.session[_NEXT] = inside(flask.request.args.get("next", "/"))
    return flask.redirect(oauth.authorize_url(state, verifier))


def _popped(name: str) -> str:
    found: str = flask.session.pop(name, "")
    return found


def login_link(public_url: str, token: Secret) -> str:
    """The address of a page that lets in who opens it, for ten minutes."""
    return f"{public_url}/login/{_links(token).dumps('in')}"


def _links(token: Secret) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(token.reveal(), salt="login link")


def _is_link(token: Secret, code: str) -> bool:
    try:
        _links(token).loads(code, max_age=LINK_SECONDS)
    except BadSignature:
        return False
    return True


def inside(path: str) -> str:
    """A path of this site, or that of the overview for anything else."""
    return path if _PATH.fullmatch(path) else "/"
