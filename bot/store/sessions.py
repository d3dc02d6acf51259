"""Who is logged in to the dashboard: kept at the server, browsers hold nothing but a key to it."""

from __future__ import annotations

import datetime
import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from bot.store import tables
from bot.store.database import Database


@dataclass(frozen=True)
class Login:
    """Who is logged in, and by `owner/name` whether they may push; None for who sees everything."""

    login: str
    access: Mapping[str, bool] | None


class LoginSessions:
    """Sessions by a key that the browser alone has; the store has its hash."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, who: Login, life: datetime.timedelta) -> str:
        """The key of a new session, which ends after some time; those that ended are deleted."""
        key, now = secrets.token_urlsafe(32), self._database.now()
        access = "" if who.access is None else json.dumps(dict(who.access))
        table = tables.LoginSession
        row = table(
            id=_hashed(key), login=who.login, access=access, created_at=now, expires_at=now + life
        )
        with self._database.in_line, self._database.session() as session:
            session.execute(sa.delete(table).where(table.expires_at <= now))
            session.add(row)
        return key

    def find(self, key: str) -> Login | None:
        """Who has this key; None where the session has ended."""
        with self._database.session() as session:
            row = session.get(tables.LoginSession, _hashed(key))
        if row is None or row.expires_at <= self._database.now():
            return None
        return Login(row.login, json.loads(row.access) if row.access else None)

    def end(self, key: str) -> None:
        """End a session, if there is one."""
        table = tables.LoginSession
        with self._database.in_line, self._database.session() as session:
            session.execute(sa.delete(table).where(table.id == _hashed(key)))


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
