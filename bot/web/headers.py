"""Headers of every answer: what a browser may do with a page, which is little."""

from __future__ import annotations

from typing import Final

import flask

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
