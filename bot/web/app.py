"""The web applications: the usual one, and the one that sets the App up first."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import flask
from jinja2 import StrictUndefined

from bot.github.client import web_url
from bot.queue import JobQueue
from bot.settings import Settings
from bot.store import Store
from bot.web import dashboard, health, login, setup, webhook
from bot.web.health import Metrics
from bot.web.login import add_headers
from evaluator.report.html import visible
from generator.model.secret import Secret


def make_app(settings: Settings, store: Store, queue: JobQueue) -> flask.Flask:
    """Takes webhooks at /webhook, answers /healthz, /readyz and /metrics, shows the dashboard.

    Raises ConfigurationError where the webhook secret is missing.
    """
    metrics = Metrics(store, queue)
    app = _bare_app(settings)
    token = settings.dashboard_token()
    app.register_blueprint(webhook.blueprint(settings.webhook_secret(), store, queue, metrics))
    app.register_blueprint(health.blueprint(store, queue, metrics))
    _lock(app, token)
    app.register_blueprint(login.blueprint(token))
    app.register_blueprint(dashboard.blueprint(settings, store, token))
    return app


def make_setup_app(settings: Settings, token: Secret, done: Callable[[], None]) -> flask.Flask:
    """Serves the page that makes the App on GitHub, to who has the token, and nothing else.

    `done` is called once the credentials are stored.
    """
    app = _bare_app(settings)
    _lock(app, token)
    app.register_blueprint(login.blueprint(token))
    app.register_blueprint(setup.blueprint(settings, token, done))
    app.add_url_rule("/healthz", view_func=health.alive)
    return app


def _bare_app(settings: Settings) -> flask.Flask:
    folder = Path(__file__).parent / "templates"
    app = flask.Flask("fixgate", template_folder=str(folder), static_folder=None)
    app.jinja_options = {
        "finalize": visible,
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    app.jinja_env.globals["github"] = web_url(settings.api_url)
    app.config.update(
        MAX_CONTENT_LENGTH=webhook.LARGEST_BODY,
        SESSION_COOKIE_NAME="fixgate",
        SESSION_COOKIE_HTTPONLY=True,
        # Not Strict: a check on GitHub links to its job here.
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.public_url.startswith("https://"),
        PERMANENT_SESSION_LIFETIME=timedelta(hours=12),
    )
    app.after_request(add_headers)
    return app


def _lock(app: flask.Flask, token: Secret | None) -> None:
    """Sessions are signed with what follows from the token: a new token ends all of them."""
    if token is not None:
        app.secret_key = hmac.digest(token.reveal().encode(), b"sessions", hashlib.sha256)
