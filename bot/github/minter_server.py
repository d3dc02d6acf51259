"""The minter as a process: JSON over a unix socket or HTTP, for those who know the shared secret.

It speaks to GitHub and to nobody else, reads no repository and runs no code of one.
"""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import flask

from bot.errors import (
    ConfigurationError,
    ConflictError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.minter import AppCalls, unusable
from bot.github.models import FullName, Id, Model, Moment, Payload, PayloadError, checked
from bot.serving import HttpServer, asgi, tcp_sockets, unix_socket
from generator.model.secret import Secret

_LARGEST_BODY = 10_000
Json = dict[str, Any]


def serve(minter: AppCalls, secret: Secret, address: str) -> None:
    """Answer until the process is ended.

    `address` is `unix:/path/of/socket` (for this user only) or `http://host:port`.
    Raises ConfigurationError.
    """
    HttpServer(asgi(create_app(minter, secret)), _listening(address)).run()


def _listening(address: str) -> Sequence[socket.socket]:
    place = urlsplit(address)
    try:
        if place.scheme == "unix" and place.path:
            return [unix_socket(Path(place.path))]
        if place.scheme == "http" and place.hostname and place.port:
            return tcp_sockets(place.hostname, place.port)
    except OSError as error:
        raise ConfigurationError(
            f"the minter cannot listen at {address}: {error.strerror or error}; see FIXGATE_MINTER"
        ) from error
    raise unusable(address)


def create_app(minter: AppCalls, secret: Secret) -> flask.Flask:
    """The application; every route but /healthz wants the secret as a bearer token."""
    app = flask.Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_BODY
    answers = _answers(minter)

    @app.get("/healthz")
    def health() -> Json:
        return {"status": "ok"}

    @app.post("/<path:what>")
    def answer(what: str) -> flask.typing.ResponseReturnValue:
        if not _knows(secret, flask.request.headers.get("Authorization", "")):
            # Not a ForbiddenError: when the setting is mended, what was asked for can be had.
            return {"error": "GitHubError", "message": "the minter's shared secret is wrong"}, 401
        if what not in answers:
            return {"error": "NotFoundError", "message": f"the minter knows no /{what}"}, 404
        return answers[what](flask.request.get_json(silent=True) or {})

    app.register_error_handler(GitHubError, _refusal)
    return app


def _knows(secret: Secret, header: str) -> bool:
    return hmac.compare_digest(header.encode(), f"Bearer {secret.reveal()}".encode())


class _TokenRequest(Payload):
    installation: Id
    repository: FullName
    permissions: dict[str, str]


class _RefusedToken(Payload):
    token: str


class _Place(Payload):
    repository: FullName


class _Since(Payload):
    since: Moment


class _Redelivery(Payload):
    delivery: Id


def _answers(minter: AppCalls) -> Mapping[str, Callable[[object], Json]]:
    def token(asked: _TokenRequest) -> Json:
        _check_permissions(asked.permissions)
        made = minter.token(asked.installation, asked.repository, asked.permissions)
        return {"token": made.value.reveal(), "expires_at": made.expires_at.isoformat()}

    def refused(asked: _RefusedToken) -> Json:
        minter.refused(Secret(asked.token, "an installation token"))
        return {}

    def installation(asked: _Place) -> Json:
        return {"installation": minter.installation(asked.repository)}

    def failed_deliveries(asked: _Since) -> Json:
        found = minter.failed_deliveries(asked.since)
        rows = [{**dict(one), "delivered_at": one.delivered_at.isoformat()} for one in found]
        return {"deliveries": rows}

    def redeliver(asked: _Redelivery) -> Json:
        minter.redeliver(asked.delivery)
        return {}

    return {
        "token": _reading(_TokenRequest, token),
        "refused": _reading(_RefusedToken, refused),
        "identity": lambda _: dict(minter.identity()),
        "installation": _reading(_Place, installation),
        "failed-deliveries": _reading(_Since, failed_deliveries),
        "redeliver": _reading(_Redelivery, redeliver),
    }


def _reading(model: type[Model], answer: Callable[[Model], Json]) -> Callable[[object], Json]:
    return lambda data: answer(checked(model, data))


_LEVELS: Mapping[str, tuple[str, ...]] = {
    "checks": ("read", "write"),
    "contents": ("read", "write"),
    "issues": ("read", "write"),
    "merge_queues": ("read",),
    "metadata": ("read",),
    "pull_requests": ("read", "write"),
}
"""What a task of fixgate may ever need; whatever else the App was given is not handed out."""


def _check_permissions(asked: Mapping[str, str]) -> None:
    for name, level in asked.items():
        if level not in _LEVELS.get(name, ()):
            raise ForbiddenError(f"no task of fixgate needs {name}: {level}")


_STATUS: Mapping[type[GitHubError], int] = {
    PayloadError: 400,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    RateLimitedError: 429,
}


def _refusal(error: GitHubError) -> flask.typing.ResponseReturnValue:
    seconds = error.seconds if isinstance(error, RateLimitedError) else 0.0
    body = {"error": type(error).__name__, "message": str(error), "seconds": seconds}
    return body, _STATUS.get(type(error), 502)
