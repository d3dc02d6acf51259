"""What can be set about the simulated GitHub: its limits, and what goes wrong with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ApiLimits:
    """GitHub's published limits; tests may lower them.

    See https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api and
    https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks.
    """

    requests_an_hour: int = 5_000
    anonymous_requests_an_hour: int = 60
    concurrent: int = 100
    points_a_minute: int = 900
    contents_a_minute: int = 80
    contents_an_hour: int = 500
    webhook_seconds: float = 10.0
    webhook_bytes: int = 25_000_000
    token_seconds: float = 3_600.0


@dataclass
class Faults:
    """Shares (0 to 1) of requests and deliveries with which something goes wrong.

    All chances are drawn from one generator with the given seed.

    Requests: answered with 500 or 502 before anything is done (`errors`), with 403 or 429 and
    `retry-after` (`limited`), late (`slow`), connection closed before anything is done (`dropped`),
    or after it was done (`lost`: the effect stays, the answer does not arrive).
    Deliveries: sent twice (`duplicated`), changed in order with the next one (`reordered`), late
    (`delayed`), or not sent at all and recorded as failed (`undelivered`).
    """

    seed: int = 0
    errors: float = 0.0
    limited: float = 0.0
    retry_after: int = 1
    slow: float = 0.0
    slow_seconds: float = 1.0
    dropped: float = 0.0
    lost: float = 0.0
    duplicated: float = 0.0
    reordered: float = 0.0
    delayed: float = 0.0
    delay_seconds: float = 1.0
    undelivered: float = 0.0
