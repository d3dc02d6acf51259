"""What goes with every page: its style, and what a browser may do with it."""

from __future__ import annotations

from importlib import resources
from typing import Final

import flask

_REPORT = resources.files("evaluator.report").joinpath("templates", "report.css")
_OWN = resources.files("bot.web").joinpath("templates", "web.css")
STYLE: Final = _REPORT.read_text("utf-8") + _OWN.read_text("utf-8")
"""The style of all pages: that of the judge's reports, and a little more."""
POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""https://www.w3.org/TR/CSP3/: no script at all, styles from here, nothing fetched elsewhere."""


def style() -> flask.Response:
    """The style sheet."""
    answer = flask.Response(STYLE, mimetype="text/css")
    answer.headers["Cache-Control"] = "max-age=3600"
    return answer


def add_headers(answer: flask.Response) -> flask.Response:
    """Add what is not set yet."""
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "same-origin")
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer
