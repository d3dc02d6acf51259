"""Where and when the simulated GitHub is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """The time of the simulated GitHub, which may be put forward."""

    offset: timedelta = timedelta()

    def now(self) -> datetime:
        """The time, to the second as GitHub gives it."""
        return (datetime.now(UTC) + self.offset).replace(microsecond=0)

    def seconds(self) -> float:
        """The same in seconds since 1970, exact."""
        return time.time() + self.offset.total_seconds()


@dataclass(frozen=True)
class Site:
    """The addresses of the pages, of the REST API and of GraphQL."""

    web: str
    api: str
    graphql: str
    enterprise: bool
