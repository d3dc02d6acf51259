"""What a repository sets, with what holds where it says nothing.

The models are the one definition: they check the file, and its published JSON Schema is made of
them, docstrings and descriptions included.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema


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


def _given(value: object) -> object:
    if value is None:
        raise ValueError("is no value: write a number")
    return value


def _whole(value: object) -> object:
    """YAML writes the whole number 5 as 5.0 too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _patterns(patterns: list[str]) -> list[str]:
    try:
        GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise ValueError(f"is no pattern as in .gitignore: {error}") from error
    return patterns


_Seconds = Annotated[float, Field(ge=0, le=3600)]


class _Table(BaseModel):
    """Unknown keys are mistakes, and so are values of another type, even if they could be read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Reproduce(_Table):
    """Tests for issues. Opt-in by a label, so that an installation alone writes no comments."""

    when: ReproduceWhen = Field(
        default=ReproduceWhen.LABEL,
        strict=False,
        description="Which issues are answered: those with a label, all new ones, only those "
        "where somebody writes /fixgate reproduce, or none.",
    )
    label: str = Field(
        default="bug", min_length=1, max_length=50, description="The label, for `when: label`."
    )
    silent_without_test: bool = Field(
        default=False,
        description="Whether nothing is said where no test could be written, unless somebody "
        "asked.",
    )
    labels: bool = Field(
        default=False,
        description="Whether issues get the label `reproduced` or `needs-reproduction`.",
    )
    denials: list[Literal["exception", "output"]] = Field(
        default=[],
        description="What a test written without a model may merely deny: a reported exception, or "
        "a reported output. Such a test can speak against a pull request, never alone for it.",
    )


class Verify(_Table):
    """Verdicts on pull requests: a check each, which disturbs nobody."""

    when: VerifyWhen = Field(
        default=VerifyWhen.ALL,
        strict=False,
        description="Which pull requests are judged: all, only those where somebody writes "
        "/fixgate verify, or none.",
    )
    drafts: bool = Field(default=False, description="Whether drafts are judged too.")
    gate: Gate = Field(
        default=Gate.ADVISORY,
        strict=False,
        description='With `required`, a verdict of "cannot tell" asks for action where it is '
        "neutral otherwise.",
    )
    quick: bool = Field(
        default=False,
        description="Whether what takes long is left out: further reruns, parts of the change, "
        "existing tests.",
    )
    regression_budget: Annotated[_Seconds | SkipJsonSchema[None], BeforeValidator(_given)] = Field(
        default=None,
        description="Seconds that existing tests run which a change can affect; 0 for not at all, "
        "where nothing is said, as long as the judged tests, from 15 seconds to a minute.",
    )
    paths_ignore: Annotated[list[str], AfterValidator(_patterns)] = Field(
        default=[],
        description="Patterns as in .gitignore: a pull request that changes only such paths, "
        "documentation or settings of CI is not judged.",
    )


class Limits(_Table):
    """What may be spent."""

    usd_per_issue: float = Field(default=1.0, ge=0, description="USD for models, on each issue.")
    minutes_per_issue: float = Field(
        default=20.0, gt=0, le=240, description="Minutes, on each issue."
    )
    issues_per_day: Annotated[int, BeforeValidator(_whole)] = Field(
        default=50, ge=0, description="How many issues are answered within 24 hours."
    )
    requests_per_reporter: Annotated[int, BeforeValidator(_whole)] = Field(
        default=3,
        ge=0,
        description="How often somebody who may not push can ask within 24 hours for tests of "
        "issues that they wrote; 0 for never.",
    )


class Configuration(_Table):
    """What fixgate does in this repository. Read from the default branch only."""

    reproduce: Reproduce = Reproduce()
    verify: Verify = Verify()
    limits: Limits = Limits()
    environment: dict[str, Any] = Field(
        default={},
        description="How the repository is installed and tested; see docs/configuration.md.",
    )
    dashboard_issue: bool = Field(
        default=False,
        description="Whether an issue of fixgate's lists the open bug reports that it looked at, "
        "with a box for each to try again.",
    )
