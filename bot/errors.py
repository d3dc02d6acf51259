"""The errors that the App raises on purpose, beside those of the judge and the writer."""

from __future__ import annotations

from evaluator import FixgateError


class ConfigurationError(FixgateError):
    """A setting of the App, or a repository's `.github/fixgate.yml`, cannot be used."""


class GitHubError(FixgateError):
    """GitHub refused a call, or could not be reached after all retries."""


class NotFoundError(GitHubError):
    """What was asked for is not there, or the App may not see it."""


class ForbiddenError(GitHubError):
    """The App lacks a permission, or its installation is suspended."""


class ConflictError(GitHubError):
    """What was to be changed has changed in the meantime."""


class RateLimitedError(GitHubError):
    """GitHub asks to wait; `seconds` says for how long."""

    def __init__(self, message: str, *, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds
