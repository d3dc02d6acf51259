"""A command of a comment: where it was given, by whom, and what it is carried out with."""

from __future__ import annotations

from dataclasses import dataclass

from bot.github.models import CommentEvent, Pull
from bot.github.protocol import Repository
from bot.jobs.services import Services
from bot.messages.comments import ANSWER_MARKER, CommandAnswer, answer


@dataclass(frozen=True)
class CommentCommand:
    """A command that somebody gives; `word` is what follows `/fixgate`, in lower case."""

    word: str
    event: CommentEvent
    repository: Repository
    services: Services

    @property
    def name(self) -> str:
        """The repository, as `owner/name`."""
        return self.event.place.full_name

    @property
    def number(self) -> int:
        """The number of the issue or pull request."""
        return self.event.issue.number

    @property
    def author(self) -> str:
        """Who gives it."""
        return self.event.comment.user.login

    def pull(self) -> Pull | None:
        """The pull request; None for an issue. Raises GitHubError."""
        return self.repository.pull(self.number) if self.event.issue.is_pull else None

    def answer(self, kind: CommandAnswer) -> None:
        """Answer with one sentence. Raises GitHubError."""
        self.repository.put_comment(self.number, ANSWER_MARKER, answer(kind, self.word))
