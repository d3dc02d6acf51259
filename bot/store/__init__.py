"""What the App remembers: deliveries, jobs, tests, verdicts, who is logged in.

In SQLite or PostgreSQL.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from bot.store.database import Database, utc_now
from bot.store.deliveries import Deliveries
from bot.store.jobs import Jobs
from bot.store.kept_tests import TestsOfIssues
from bot.store.pauses import Pauses
from bot.store.sessions import LoginSessions
from bot.store.verdicts import Verdicts


class Store:
    """One database and what is kept in it. `clock` gives the time."""

    def __init__(self, url: str, clock: Callable[[], datetime.datetime] = utc_now) -> None:
        self.database = Database(url, clock)
        self.deliveries = Deliveries(self.database)
        self.jobs = Jobs(self.database)
        self.tests = TestsOfIssues(self.database)
        self.verdicts = Verdicts(self.database)
        self.pauses = Pauses(self.database)
        self.sessions = LoginSessions(self.database)
