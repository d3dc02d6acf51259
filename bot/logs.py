"""Logs: one JSON object a line, with the delivery and the job in hand, and no secret.

Formats of tokens:
https://github.blog/engineering/behind-githubs-new-authentication-token-formats/ and, for
installation tokens since 2026, some 520 characters with dots, underscores and dashes.
"""

from __future__ import annotations

import contextlib
import contextvars
import datetime
import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

REDACTED = "[redacted]"
_SECRETS = re.compile(
    r"""
    -----BEGIN[ ](?P<kind>[A-Z0-9 ]{0,40})-----          # a PEM block, even where its end is cut
        (?:(?!-----BEGIN[ ]).)*?(?:-----END[ ](?P=kind)-----|\Z)
    # no boundary before these: an escaped line break ends in the letter n
    | gh[soupr]_[A-Za-z0-9._\-]{20,}
    | github_pat_[A-Za-z0-9_]{20,}
    | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?   # a JWT
    | (?i:(?<=authorization:[ ]basic[ ])|(?<=authorization:[ ]bearer[ ])|(?<=x-access-token:))
        [A-Za-z0-9+/=._~-]+
    """,
    re.VERBOSE | re.DOTALL,
)


def redact(text: str) -> str:
    """The text with every token, JSON web token and PEM block replaced."""
    return _SECRETS.sub(REDACTED, text)


class RedactingFilter(logging.Filter):
    """Redacts a record's message, with its arguments, and the traceback that goes with it.

    Put it on handlers, not on loggers: filters of loggers do not see what their children log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true: a record is changed, never held back."""
        record.msg, record.args = redact(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redact(record.exc_text)
        if record.stack_info:
            record.stack_info = redact(record.stack_info)
        return True


_NOTHING: Mapping[str, str] = MappingProxyType({})
_to_json = json.JSONEncoder(ensure_ascii=False).encode
_ABOUT: contextvars.ContextVar[Mapping[str, str]] = contextvars.ContextVar(
    "about",
    default=_NOTHING,
)
_LOUD = (
    "rq.worker",
    "rq.job",
    "rq.registry",
    "werkzeug",
    "alembic",
    "urllib3",
    "docker",
    "github",
)
"""Libraries that say much at the level at which fixgate speaks."""


@contextlib.contextmanager
def about(**what: str) -> Iterator[None]:
    """Name what is in hand (`delivery=`, `job=`) in everything that is logged meanwhile."""
    token = _ABOUT.set({**_ABOUT.get(), **what})
    try:
        yield
    finally:
        _ABOUT.reset(token)


Line = tuple[str, Mapping[str, str]]
"""A message, and what it is about."""


def log_together(log: logging.Logger, lines: Sequence[Line]) -> None:
    """Log a line each at level INFO, which takes a fraction of the time of one after the other."""
    redacted = [(redact(message), about) for message, about in lines]
    log.info("%s", "\n".join(message for message, _ in redacted), extra={"lines": redacted})


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON: time, level, logger, process, message, what is in hand.

    One of `log_together` is several lines.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, or lines."""
        lines: Sequence[Line] = getattr(record, "lines", None) or [(record.getMessage(), _NOTHING)]
        common, error = self._common(record), self._error(record)
        return "\n".join(
            _to_json({**common, "message": message, **_ABOUT.get(), **about, **error})
            for message, about in lines
        )

    def _common(self, record: logging.LogRecord) -> Mapping[str, object]:
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        return {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
        }

    def _error(self, record: logging.LogRecord) -> Mapping[str, str]:
        if record.exc_info and not record.exc_text:
            record.exc_text = redact(self.formatException(record.exc_info))
        return {"error": record.exc_text} if record.exc_text else _NOTHING


def start_logging(stream: TextIO | None = None) -> None:
    """Have everything logged as JSON, on standard error unless another stream is given."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(RedactingFilter())
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.WARNING)
