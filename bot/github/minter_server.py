"""The minter as a process: JSON over a unix socket or HTTP, for those who know the shared secret.

It speaks to GitHub and to nobody else, reads no repository and runs no code of one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

import flask
import waitress

from bot.errors import (
    ConfigurationError,
    ConflictError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.app import moment
from bot.github.minter import AppCalls
from bot.github.reading import Fields, PayloadError
from generator.model.secret import Secret

_LARGEST_BODY = 10_000
_OPTIONS: Mapping[str, Any] = {"threads": 16, "ident": None}
"""More threads than by default, as most of them wait for GitHub."""

Json = dict[str, Any]


def serve(minter: AppCalls, secret: Secret, address: str) -> None:
    """Answer until the process is ended.

    `address` is `unix:/path/of/socket` (for this user only) or `http://host:port`.
    Raises ConfigurationError.
    """
    app = create_app(minter, secret)
    place = urlsplit(address)
    if place.scheme == "unix" and place.path:
        waitress.serve(app, unix_socket=place.path, unix_socket_perms="600", **_OPTIONS)
    elif place.scheme == "http" and place.hostname and place.port:
        waitress.serve(app, host=place.hostname, port=place.port, **_OPTIONS)
    else:
        raise unusable(address)


def unusable(address: str) -> ConfigurationError:
    """For an address that is none."""
    return ConfigurationError(
        f"{address!r} is no address of a minter: write unix:/path/of/socket or http://host:port"
    )


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
        return answers[what](Fields(flask.request.get_json(silent=True) or {}))

    app.register_error_handler(GitHubError, _refusal)
    return app


def _knows(secret: Secret, header: str) -> bool:
    return hmac.compare_digest(header.encode(), f"Bearer {secret.reveal()}".encode())


def _answers(minter: AppCalls) -> Mapping[str, Callable[[Fields], Json]]:
    def token(asked: Fields) -> Json:
        made = minter.token(
            asked.number("installation"), asked.full_name("repository"), _permissions(asked)
        )
        return {"token": made.value.reveal(), "expires_at": made.expires_at.isoformat()}

    def refused(asked: Fields) -> Json:
        minter.refused(Secret(asked.text("token"), "an installation token"))
        return {}

    def installation(asked: Fields) -> Json:
        return {"installation": minter.installation(asked.full_name("repository"))}

    def failed_deliveries(asked: Fields) -> Json:
        found = minter.failed_deliveries(moment(asked, "since"))
        rows = [{**asdict(one), "delivered_at": one.delivered_at.isoformat()} for one in found]
        return {"deliveries": rows}

    def redeliver(asked: Fields) -> Json:
        minter.redeliver(asked.number("delivery"))
        return {}

    return {
        "token": token,
        "refused": refused,
        "identity": lambda _: asdict(minter.identity()),
        "installation": installation,
        "failed-deliveries": failed_deliveries,
        "redeliver": redeliver,
    }


_LEVELS: Mapping[str, tuple[str, ...]] = {
    "checks": ("read", "write"),
    "contents": ("read", "write"),
    "issues": ("read", "write"),
    "merge_queues": ("read",),
    "metadata": ("read",),
    "pull_requests": ("read", "write"),
}
"""What a task of fixgate may ever need; whatever else the App was given is not handed out."""


def _permissions(asked: Fields) -> dict[str, str]:
    found = asked.texts("permissions")
    for name, level in found.items():
        if level not in _LEVELS.get(name, ()):
            raise ForbiddenError(f"no task of fixgate needs {name}: {level}")
    return found


_STATUS: Mapping[type[GitHubError], int] = {
    PayloadError: 400,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    RateLimitedError: 429,
}


def _refusal(error: GitHubError) -> flask.typing.ResponseReturnValue:
    seconds = error.seconds if isinstance(error, RateLimitedError) else 0.0
    told = {"error": type(error).__name__, "message": str(error), "seconds": seconds}
    return told, _STATUS.get(type(error), 502)
