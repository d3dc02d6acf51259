"""The check of a pull request that could not be judged here, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.configuration import Gate
from bot.github.types import Check
from bot.jobs.types import JobRequest
from bot.messages.markdown import fenced, fitted, plain
from bot.messages.verdict import RERUN, conclusion
from evaluator import (
    CheckoutError,
    Decision,
    EnvironmentBuildError,
    FixgateError,
    InputError,
    PatchError,
    SandboxError,
)

CANNOT_RUN: Final = (CheckoutError, EnvironmentBuildError, InputError, PatchError, SandboxError)
"""What says something about the machine, the environment or the patch; trying again is in vain."""

_WHAT: Final = {
    EnvironmentBuildError: "the environment could not be built",
    InputError: "a file of this repository cannot be read",
    PatchError: "the change could not be applied here",
    CheckoutError: "the commits could not be laid out",
    SandboxError: "the tests could not be run here",
}
_ADVICE: Final = (
    "How this repository is installed can be said in `.github/fixgate.yml`, table `environment`."
)


def cannot_run(
    request: JobRequest, error: FixgateError, *, gate: Gate, notes: Sequence[str] = ()
) -> Check:
    """The concluded check of a change that could not be judged for one of `CANNOT_RUN`.

    `notes` are remarks in plain text.
    """
    what = next((words for kind, words in _WHAT.items() if isinstance(error, kind)), str(error))
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title=f"Cannot tell: {what}",
        summary=fitted(_summary(error, what, notes)),
        conclusion=conclusion(Decision.ABSTAIN, gate),
        buttons=(RERUN,),
    )


def _summary(error: FixgateError, what: str, notes: Sequence[str]) -> Iterator[str]:
    yield f"**fixgate cannot tell**: {what}."
    yield from (f"> {plain(note, 1000)}" for note in notes)
    log = error.log if isinstance(error, EnvironmentBuildError) else ""
    yield fenced(f"{error}\n{log}".strip(), longest=8000)
    if isinstance(error, EnvironmentBuildError | InputError):
        yield _ADVICE
