"""Checks that hold no verdict: work that waits, goes on or ended, and what cannot be judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.configuration import Gate
from bot.github.types import Annotation, Button, Check, Conclusion
from bot.jobs.types import JobRequest
from bot.messages import rendering
from bot.messages.markdown import code
from evaluator import (
    CheckoutError,
    Decision,
    EnvironmentBuildError,
    FixgateError,
    InputError,
    PatchError,
    SandboxError,
)

RERUN = Button("Run again", "Judge this pull request again", "rerun")
REWRITE = Button("Regenerate tests", "Write new tests for the linked issues", "rewrite")
ADD_TESTS = Button("Add the tests", "Commit the tests to this pull request", "add-tests")
MOST_FILES = 50

CANNOT_RUN: Final = (CheckoutError, EnvironmentBuildError, InputError, PatchError, SandboxError)
"""What says something about the machine, the environment or the patch; trying again is in vain."""
_WHAT: Final = {
    EnvironmentBuildError: "the environment could not be built",
    InputError: "a file of this repository cannot be read",
    PatchError: "the change could not be applied here",
    CheckoutError: "the commits could not be checked out",
    SandboxError: "the tests could not be run here",
}


def conclusion(decision: Decision, gate: Gate) -> Conclusion:
    """What a decision means for the pull request; `neutral` lets a required check pass."""
    if decision is Decision.ACCEPT:
        return Conclusion.SUCCESS
    if decision is Decision.REJECT:
        return Conclusion.FAILURE
    return Conclusion.ACTION_REQUIRED if gate is Gate.REQUIRED else Conclusion.NEUTRAL


def waiting(request: JobRequest) -> Check:
    """The check of a job that waits for a worker."""
    return _plain(request, "check_waiting")


def working(request: JobRequest) -> Check:
    """The check while work goes on."""
    return _plain(request, "check_working")


def withdrawn(request: JobRequest) -> Check:
    """The check of a head whose verdict a maintainer called wrong: it is not repeated."""
    return _plain(request, "check_withdrawn", Conclusion.NEUTRAL)


def without_basis(request: JobRequest, *, gate: Gate) -> Check:
    """The check of a verdict on a test that was called wrong while it was reached."""
    texts = rendering.check("check_without_basis")
    return of_texts(request, texts, conclusion(Decision.ABSTAIN, gate), buttons=(RERUN,))


def superseded(request: JobRequest) -> Check:
    """The check of a head that nobody waits for any more."""
    return _plain(request, "check_superseded", Conclusion.CANCELLED)


def _plain(request: JobRequest, template: str, ended: Conclusion | None = None) -> Check:
    return of_texts(request, rendering.check(template), ended)


def of_texts(
    request: JobRequest,
    texts: rendering.CheckTexts,
    ended: Conclusion | None,
    *,
    annotations: tuple[Annotation, ...] = (),
    buttons: tuple[Button, ...] = (),
    details_url: str = "",
) -> Check:
    """The check of a job that shows some texts."""
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title=texts.title,
        summary=texts.summary,
        text=texts.text,
        conclusion=ended,
        annotations=annotations,
        buttons=buttons,
        details_url=details_url,
    )


def unfinished(request: JobRequest, message: str, *, gate: Gate, late: bool) -> Check:
    """The concluded check of a job that was given up; `late` where it ran out of time."""
    texts = rendering.check("check_unfinished", message=message)
    ended = Conclusion.TIMED_OUT if late else conclusion(Decision.ABSTAIN, gate)
    return of_texts(request, texts, ended, buttons=(RERUN,))


def nothing_to_check(
    request: JobRequest, why: str, files: Sequence[str], *, notes: Sequence[str] = ()
) -> Check:
    """The check of a change that has nothing to judge; a required gate lets it pass.

    `why` follows "Nothing to check:"; `notes` are remarks in plain text.
    """
    shown = [f"- {code(name, 160)}" for name in files[:MOST_FILES]]
    more = [f"- and {len(files) - MOST_FILES} more"] if len(files) > MOST_FILES else []
    listed = "\n".join([*shown, *more])
    texts = rendering.check("check_nothing", why=why, notes=notes, files=listed)
    return of_texts(request, texts, Conclusion.SKIPPED, buttons=(RERUN,))


def cannot_run(
    request: JobRequest,
    error: FixgateError,
    *,
    gate: Gate,
    notes: Sequence[str] = (),
    details_url: str = "",
) -> Check:
    """The concluded check of a change that could not be judged for one of `CANNOT_RUN`.

    `notes` are remarks in plain text, `details_url` is the page of the job, "" without.
    """
    texts = rendering.check(
        "check_cannot_run",
        what=next((words for kind, words in _WHAT.items() if isinstance(error, kind)), str(error)),
        notes=notes,
        message=str(error),
        log=log_of(error),
        advice=isinstance(error, EnvironmentBuildError | InputError),
        page=details_url,
    )
    ended = conclusion(Decision.ABSTAIN, gate)
    return of_texts(request, texts, ended, buttons=(RERUN,), details_url=details_url)


def log_of(error: FixgateError) -> str:
    """What the failed step printed, where it printed anything."""
    return error.log.strip() if isinstance(error, EnvironmentBuildError) else ""
