"""What a repository sets, with what holds where it says nothing."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class ReproduceWhen(enum.StrEnum):
    """Which issues are answered."""

    LABEL = "label"
    ALL = "all"
    COMMAND = "command"
    NEVER = "never"


class VerifyWhen(enum.StrEnum):
    """Which pull requests are judged."""

    ALL = "all"
    COMMAND = "command"
    NEVER = "never"


class Gate(enum.StrEnum):
    """What "cannot tell" means for a pull request."""

    ADVISORY = "advisory"
    REQUIRED = "required"


@dataclass(frozen=True)
class Reproduce:
    """Tests for issues. Opt-in by a label, so that an installation alone writes no comments."""

    when: ReproduceWhen = ReproduceWhen.LABEL
    label: str = "bug"
    silent_without_test: bool = False
    labels: bool = False


@dataclass(frozen=True)
class Verify:
    """Verdicts on pull requests: a check each, which disturbs nobody.

    `quick` leaves safeguards out. `regression_budget` is how many seconds existing tests run,
    None for as many as usual.
    """

    when: VerifyWhen = VerifyWhen.ALL
    drafts: bool = False
    gate: Gate = Gate.ADVISORY
    quick: bool = False
    regression_budget: float | None = None


@dataclass(frozen=True)
class Limits:
    """What may be spent: USD and minutes on an issue, issues answered in 24 hours."""

    usd_per_issue: float = 1.0
    minutes_per_issue: float = 20.0
    issues_per_day: int = 50


@dataclass(frozen=True)
class Configuration:
    """Everything but `environment`, which the judge reads from the tree itself."""

    reproduce: Reproduce = field(default_factory=Reproduce)
    verify: Verify = field(default_factory=Verify)
    limits: Limits = field(default_factory=Limits)
