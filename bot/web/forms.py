"""Forms hold a key that other sites do not know; what comes without it changes nothing.

https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
"""

from __future__ import annotations

import hmac
import secrets
from typing import Final

import flask

FIELD: Final = "form_key"


def form_key() -> str:
    """What the forms of this browser hold; another one after each login."""
    key: str = flask.session.setdefault(FIELD, secrets.token_urlsafe(32))
    return key


def excuse() -> None:
    """Take what comes with this request: it is authorised by what no other site can send."""
    flask.g.needs_no_form_key = True


def check() -> flask.typing.ResponseReturnValue | None:
    """Before each request: refuse what would change something and does not come from our form."""
    if flask.request.method in ("GET", "HEAD", "OPTIONS") or flask.g.get("needs_no_form_key"):
        return None
    expected, given = flask.session.get(FIELD, ""), flask.request.form.get(FIELD, "")
    if expected and hmac.compare_digest(expected.encode(), given.encode()):
        return None
    return flask.render_template("old_form.html"), 403
