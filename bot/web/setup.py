"""The page that makes the App on GitHub, and takes what comes back.

https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import flask

from bot.errors import ConfigurationError, GitHubError
from bot.github import credentials, manifest
from bot.github.api import Connection
from bot.github.client import web_url
from bot.settings import Settings
from bot.web import forms
from bot.web.headers import POLICY
from bot.web.visitors import Entrance


def blueprint(settings: Settings, entrance: Entrance, done: Callable[[], None]) -> flask.Blueprint:
    """GET and POST /setup, and /setup/done to which GitHub leads back."""
    routes = flask.Blueprint("setup", __name__)
    routes.before_request(entrance.guard)
    routes.before_request(forms.check)
    site = web_url(settings.api_url)

    @routes.get("/")
    def home() -> flask.typing.ResponseReturnValue:
        return flask.redirect("/setup")

    @routes.get("/setup")
    def ask() -> str:
        return _page(settings, site)

    @routes.post("/setup")
    def confirm() -> flask.typing.ResponseReturnValue:
        return _confirm(settings, site)

    @routes.get("/setup/done")
    def finish() -> flask.typing.ResponseReturnValue:
        return _finish(settings, done)

    return routes


def _confirm(settings: Settings, site: str) -> flask.typing.ResponseReturnValue:
    """The form that the browser sends to GitHub, in a session that expects what comes back."""
    flask.session["state"] = state = manifest.new_state()
    try:
        form = _form(settings, flask.request.form, state)
    except ConfigurationError as error:
        return _page(settings, site, str(error)), 400
    page = flask.render_template("setup_confirm.html", form=form, site=site)
    # The form goes to GitHub, and nowhere else.
    policy = POLICY.replace("form-action 'self'", f"form-action {site}")
    return page, {"Content-Security-Policy": policy}


def _finish(settings: Settings, done: Callable[[], None]) -> flask.typing.ResponseReturnValue:
    """Store what GitHub hands out for the code that it led back with."""
    expected = flask.session.pop("state", "")
    if not manifest.is_state(expected, flask.request.args.get("state", "")):
        return _failed("This did not begin here, or it is too long ago: begin again."), 400
    try:
        found = manifest.convert(flask.request.args.get("code", ""), Connection(settings.api_url))
        credentials.store(settings.credentials, found)
    except (GitHubError, ConfigurationError) as error:
        return _failed(str(error)), 502
    done()
    return flask.render_template("setup_done.html", page=found.page)


def _page(settings: Settings, site: str, error: str = "") -> str:
    return flask.render_template("setup.html", settings=settings, site=site, error=error)


def _form(settings: Settings, given: Mapping[str, str], state: str) -> manifest.Form:
    return manifest.form(
        manifest.load_manifest(),
        public_url=settings.public_url,
        webhook_url=settings.webhook_url,
        state=state,
        api_url=settings.api_url,
        organization=given.get("organization", "").strip(),
        name=given.get("name", ""),
        may_commit=given.get("may_commit") == "yes",
    )


def _failed(why: str) -> str:
    return flask.render_template("setup_failed.html", why=why)
