"""What the App remembers: deliveries, jobs, tests, verdicts, feedback. SQLite or PostgreSQL."""

from bot.store.store import Store

__all__ = ["Store"]
