"""Logs: one JSON object a line, with the delivery and the job in hand, and no secret."""

from __future__ import annotations

import contextlib
import contextvars
import datetime
import json
import logging
import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TextIO

from bot.github.redaction import RedactingFilter, redact

_NOTHING: Mapping[str, str] = MappingProxyType({})
_ABOUT: contextvars.ContextVar[Mapping[str, str]] = contextvars.ContextVar(
    "about",
    default=_NOTHING,
)
_LOUD = (
    "rq.worker",
    "rq.job",
    "rq.registry",
    "waitress",
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


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON: time, level, logger, process, message, what is in hand."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        fields: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **_ABOUT.get(),
        }
        if record.exc_info and not record.exc_text:
            record.exc_text = redact(self.formatException(record.exc_info))
        if record.exc_text:
            fields["error"] = record.exc_text
        return json.dumps(fields, ensure_ascii=False)


def start_logging(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Have everything logged as JSON, on standard error unless another stream is given."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(RedactingFilter())
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _LOUD:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
