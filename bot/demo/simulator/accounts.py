"""People, organisations and Apps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class AccountKind(StrEnum):
    """What an account is."""

    USER = "User"
    ORGANIZATION = "Organization"
    BOT = "Bot"


class Role(StrEnum):
    """What a person may do in a repository, least first."""

    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    def reaches(self, other: Role) -> bool:
        """Whether this role allows what the other one does."""
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(eq=False)
class Account:
    """Someone who owns repositories or acts."""

    id: int
    login: str
    kind: AccountKind
    created_at: datetime


@dataclass(eq=False)
class App:
    """A GitHub App; `public_key` is the PEM against which its tokens are verified."""

    id: int
    client_id: str
    slug: str
    name: str
    owner: Account
    bot: Account
    public_key: str
    url: str
    webhook_url: str
    secret: str
    permissions: dict[str, str]
    events: tuple[str, ...]
    created_at: datetime
    hook_id: int
    active: bool = True
    content_type: str = "json"


@dataclass(frozen=True)
class AppSecrets:
    """What the owner of an App holds."""

    app_id: int
    client_id: str
    slug: str
    private_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)


@dataclass(frozen=True)
class Conversion:
    """An App made from a manifest whose credentials were not fetched yet."""

    app: App
    credentials: AppSecrets
    created_at: datetime
