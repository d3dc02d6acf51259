"""What passes between the App and GitHub."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True)
class RepositoryId:
    """A repository as one installation of the App sees it. `full_name` is `owner/name`."""

    installation: int
    full_name: str


class Permission(enum.StrEnum):
    """What a user may do in a repository, from least to most."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    @property
    def may_write(self) -> bool:
        """Whether it holds the right to push."""
        return self in (Permission.WRITE, Permission.MAINTAIN, Permission.ADMIN)


class Conclusion(enum.StrEnum):
    """How a check run ends (https://docs.github.com/en/rest/checks/runs)."""

    SUCCESS = "success"
    FAILURE = "failure"
    NEUTRAL = "neutral"
    ACTION_REQUIRED = "action_required"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Annotation:
    """A remark on lines of a file of the head. `level` is `notice`, `warning` or `failure`."""

    path: str
    first_line: int
    last_line: int
    level: str
    message: str
    title: str = ""


@dataclass(frozen=True)
class Button:
    """An action that a check offers; GitHub allows 20, 40 and 20 characters, and three of them."""

    label: str
    description: str
    identifier: str


@dataclass(frozen=True)
class Check:
    """A check run as it is to be shown. Without a conclusion it is in progress.

    `key` is kept by GitHub as `external_id`: a check is found again by it, never made twice.
    """

    key: str
    head_sha: str
    title: str
    summary: str
    text: str = ""
    conclusion: Conclusion | None = None
    annotations: tuple[Annotation, ...] = ()
    buttons: tuple[Button, ...] = ()
    details_url: str = ""


@dataclass(frozen=True)
class Webhook:
    """A webhook as it came: `delivery` is GitHub's id of it, `payload` a JSON object as text.

    `trace_context` is the trace that it began (see `bot.telemetry`), "" without one.
    """

    delivery: str
    event: str
    action: str
    payload: str
    trace_context: str = ""
