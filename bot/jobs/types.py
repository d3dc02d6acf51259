"""Jobs: what is to be done for an issue or a pull request."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bot.github.types import RepositoryId


class JobKind(enum.StrEnum):
    """What a job does."""

    REPRODUCE = "reproduce"
    VERIFY = "verify"


class JobState(enum.StrEnum):
    """Where a job stands. All but the first two are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen to it."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True)
class JobResult:
    """What a job that was done came to: what it cost, None where nothing, and what it has to say.

    `message` is shown on the job's page.
    """

    usd: float | None = None
    message: str = ""


@dataclass(frozen=True)
class JobRequest:
    """What somebody, or an event, asks for.

    `number` is that of the issue or the pull request (0 for a merge group). `head_sha` is empty
    for an issue. `round` grows with every deliberate re-run, so that a re-run is another job while
    a delivery that comes twice is not. `cause` is the delivery that asked, where one did.
    """

    kind: JobKind
    repository: RepositoryId
    number: int
    head_sha: str = ""
    base_sha: str = ""
    round: int = 0
    regenerate_tests: bool = False
    requested_by: str = ""
    cause: str = ""

    @property
    def concurrency_key(self) -> str:
        """What at most one job works on at a time: a newer one supersedes the older ones."""
        subject = self.number or self.head_sha
        return f"{self.kind}:{self.repository.full_name}:{subject}"

    @property
    def key(self) -> str:
        """The same for requests that ask for the same; used as `external_id` and as job id."""
        return f"{self.concurrency_key}:{self.head_sha}:{self.round}"
