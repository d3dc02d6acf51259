"""How long to wait before GitHub is asked again.

https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_SECONDARY_SECONDS = 60.0
_WORDS = ("rate limit", "abuse detection")


@dataclass(frozen=True)
class ApiRetryPolicy:
    """How often a call is tried, and how many seconds at most are waited at once.

    After a fault the waits are `first_wait`, twice that, and so on. A limit that lasts longer than
    `longest_wait` is not waited for: the job is to come back later.
    """

    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def after_fault(self, attempt: int) -> float:
        """Seconds to wait after the attempt with this number, from 0."""
        return min(self.first_wait * 2.0**attempt, self.longest_wait)


def is_limit(status: int, headers: Mapping[str, str], body: str) -> bool:
    """Whether a refusal is a rate limit; 403 is one only where it says so."""
    if status == 429:
        return True
    said = any(words in body.lower() for words in _WORDS)
    return status == 403 and (
        said or "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    )


def seconds_to_wait(headers: Mapping[str, str], attempt: int) -> float:
    """What GitHub asks for: retry-after, else the reset of a used up limit, else from 60 s on.

    `headers` have lower-case names. The reset is measured by GitHub's own clock, where it is given.
    """
    retry_after = _number(headers.get("retry-after"))
    if retry_after is not None:
        return max(retry_after, 0.0)
    reset = _number(headers.get("x-ratelimit-reset"))
    if headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        # A second more: it is not said when within its second the limit is reset.
        return max(reset - _now(headers), 0.0) + 1.0
    return float(_SECONDARY_SECONDS * 2.0**attempt)


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and text.strip().isdecimal() else None


def _now(headers: Mapping[str, str]) -> float:
    try:
        return parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError):
        return time.time()
