"""Who has the token gets a signed cookie; pages behind it only show, and change nothing."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from importlib import resources
from typing import Final

import flask
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from generator.model.secret import Secret

_PATH = re.compile(r"/(?![/\\])[\x21-\x7e]*")
"""Browsers take `//host` and `/\\host` for other sites, and pass over line breaks and tabs."""
_REPORT = resources.files("evaluator.report").joinpath("templates", "report.css")
_OWN = resources.files("bot.web").joinpath("templates", "web.css")
STYLE: Final = _REPORT.read_text("utf-8") + _OWN.read_text("utf-8")
"""The style of all pages: that of the judge's reports, and a little more."""
LINK_SECONDS: Final = 600
WRONG, LATE = "This is not the token.", "This link is too old: make another one by `fixgate login`."
_CLOSED = "Set FIXGATE_DASHBOARD_TOKEN to open these pages."


def blueprint(token: Secret | None) -> flask.Blueprint:
    """GET and POST /login, POST /logout, and the style of all pages."""
    routes = flask.Blueprint("login", __name__)

    @routes.get("/style.css")
    def style() -> flask.Response:
        answer = flask.Response(STYLE, mimetype="text/css")
        answer.headers["Cache-Control"] = "max-age=3600"
        return answer

    @routes.get("/login")
    def ask() -> str:
        return flask.render_template("login.html", wrong="", closed=_closed(token))

    @routes.post("/login")
    def enter() -> flask.typing.ResponseReturnValue:
        given = flask.request.form.get("token", "").strip()
        if token is None or not is_token(token, given):
            page = flask.render_template("login.html", wrong=WRONG, closed=_closed(token))
            return page, 403
        _enter()
        return flask.redirect(_inside(flask.request.args.get("next", "/")))

    @routes.get("/login/<code>")
    def follow(code: str) -> flask.typing.ResponseReturnValue:
        if token is None or not _is_link(token, code):
            page = flask.render_template("login.html", wrong=LATE, closed=_closed(token))
            return page, 403
        _enter()
        return flask.redirect("/")

    @routes.post("/logout")
    def leave() -> Response:
        flask.session.clear()
        return flask.redirect("/login")

    return routes


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


def _enter() -> None:
    flask.session.clear()
    flask.session["in"] = True
    flask.session.permanent = True


def guard(token: Secret | None) -> Callable[[], Response | None]:
    """Sends whoever is not in to the login page; a bearer token does as well."""

    def check() -> Response | None:
        bearer = flask.request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token is not None and (flask.session.get("in") or is_token(token, bearer)):
            return None
        wanted = flask.request.full_path.rstrip("?")
        return flask.redirect(flask.url_for("login.ask", next=wanted))

    return check


def is_token(token: Secret, given: str) -> bool:
    """Whether this is the token; compared in constant time."""
    return hmac.compare_digest(token.reveal().encode(), given.encode())


def _closed(token: Secret | None) -> str:
    return _CLOSED if token is None else ""


def _inside(path: str) -> str:
    """A path of this site, or that of the overview for anything else."""
    return path if _PATH.fullmatch(path) else "/"


POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""https://www.w3.org/TR/CSP3/: no script at all, styles from here, nothing fetched elsewhere."""


def add_headers(answer: flask.Response) -> flask.Response:
    """Add what is not set yet."""
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "same-origin")
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer
