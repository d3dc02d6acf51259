"""The web applications: the usual one, and the one that sets the App up first."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import flask
from jinja2 import StrictUndefined
from markupsafe import Markup

from bot.github.client import web_url
from bot.queue import JobQueue
from bot.serving import LARGEST_BODY, AsgiApplication, asgi
from bot.settings import Settings
from bot.store import Store
from bot.web import dashboard, forms, headers, health, login, setup, steering
from bot.web.health import Metrics
from bot.web.intake import Intake
from bot.web.visitors import OPERATOR_LIFE, Entrance
from bot.web.webhook import WebhookApp
from evaluator.report.html import visible
from generator.model.secret import Secret


def make_app(settings: Settings, store: Store, queue: JobQueue) -> AsgiApplication:
    """Takes webhooks at /webhook, and has all else from `make_pages`.

    Raises ConfigurationError where the webhook secret is missing.
    """
    metrics = Metrics(store, queue)
    pages = asgi(make_pages(settings, store, queue, metrics))
    return WebhookApp(pages, settings.webhook_secret(), Intake(store, queue), metrics)


def make_pages(settings: Settings, store: Store, queue: JobQueue, metrics: Metrics) -> flask.Flask:
    """Answers /healthz, /readyz and /metrics, shows the dashboard."""
    secret, token = settings.webhook_secret(), settings.dashboard_token()
    app = _bare_app(settings, secret, token)
    app.register_blueprint(health.blueprint(store, queue, metrics))
    entrance = Entrance(store.sessions, token, settings.public_repositories)
    life = timedelta(minutes=settings.login_minutes)
    app.register_blueprint(login.blueprint(entrance, settings.oauth_app(), life))
    app.register_blueprint(dashboard.blueprint(settings, store, entrance))
    app.register_blueprint(steering.blueprint(store, queue, entrance))
    return app


def make_setup_app(
    settings: Settings, store: Store, token: Secret, done: Callable[[], None]
) -> flask.Flask:
    """Serves the page that makes the App on GitHub, to who has the token, and nothing else.

    `done` is called once the credentials are stored.
    """
    app = _bare_app(settings, token)
    entrance = Entrance(store.sessions, token)
    app.register_blueprint(login.blueprint(entrance))
    app.register_blueprint(setup.blueprint(settings, entrance, done))
    app.add_url_rule("/healthz", view_func=health.alive)
    return app


def _bare_app(settings: Settings, *secrets: Secret | None) -> flask.Flask:
    """An application whose cookies are signed with what follows from some secrets.

    A new secret makes all cookies worthless, and with them the sessions that they are the keys to.
    """
    folder = Path(__file__).parent / "templates"
    app = flask.Flask("fixgate", template_folder=str(folder), static_folder=None)
    app.jinja_options = {
        "finalize": visible,
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    app.jinja_env.globals.update(
        github=web_url(settings.api_url),
        form_key_field=_form_key_field,
    )
    app.context_processor(lambda: {"visitor": flask.g.get("visitor")})
    revealed = "\n".join(one.reveal() for one in secrets if one is not None)
    app.secret_key = hmac.digest(revealed.encode(), b"sessions", hashlib.sha256)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        SESSION_COOKIE_NAME="fixgate",
        SESSION_COOKIE_HTTPONLY=True,
        # Not Strict: a check on GitHub links to its job here, and GitHub leads back to the login.
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.public_url.startswith("https://"),
        PERMANENT_SESSION_LIFETIME=OPERATOR_LIFE,
    )
    app.add_url_rule("/style.css", view_func=headers.style)
    app.after_request(headers.add_headers)
    return app


def _form_key_field() -> Markup:
    field = Markup('<input type="hidden" name="{}" value="{}">')
    return field.format(forms.FIELD, forms.form_key())
