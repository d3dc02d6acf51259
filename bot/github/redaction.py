"""Takes tokens and keys out of text, above all out of logs.

Formats: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/ and, for
installation tokens since 2026, some 520 characters with dots, underscores and dashes.
"""

from __future__ import annotations

import logging
import re

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
