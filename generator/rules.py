"""Rules by which a test is written from a report alone: which are in use, and what each claims."""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass


class Denial(enum.StrEnum):
    """What a test says only that it must not be; any other behaviour satisfies it, a wrong one too.

    `NOTHING` is denied by a test whose claim about what is right stands in the report.
    """

    NOTHING = "nothing"
    EXCEPTION = "exception"
    OUTPUT = "output"


@dataclass(frozen=True)
class RuleSettings:
    """Which rules a test may rest on.

    `without` names those left out; `denials` are kinds of tests that are submitted although they
    only deny. `exhaustive` has every test be tried, also those that another rule gives alike, as is
    needed to tell afterwards what each rule is worth.
    """

    without: tuple[str, ...] = ()
    denials: tuple[Denial, ...] = ()
    exhaustive: bool = False

    def use(self, rules: Collection[str]) -> bool:
        """Whether all of these rules are in use."""
        return not set(rules) & set(self.without)

    def allow(self, denies: Denial) -> bool:
        """Whether a test that only denies this much may be submitted."""
        return self.exhaustive or denies in (Denial.NOTHING, *self.denials)

    def why_not(self, denies: Denial) -> str:
        """Why a test is not submitted that denies this much, and what to do about it."""
        return (
            f"the report does not say what is right in place of this {denies}; "
            f"`--denials {denies}` (`denials: [{denies}]`) submits tests that only deny it"
        )
