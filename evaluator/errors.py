"""The errors that fixgate raises on purpose.

Every one of them says what is wrong and what to do about it, so that a caller can show
it to a person as it is. Anything else that escapes is a defect of fixgate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class FixgateError(Exception):
    """Base of every expected error; `str(error)` is ready to be shown to a user."""


class InputError(FixgateError):
    """A file, field, option or patch that the user gave cannot be used."""


class ExtraMissingError(InputError):
    """The packages of an extra are not installed."""


@contextmanager
def extra_needed(extra: str, what: str, instead: str = "") -> Iterator[None]:
    """Names the extra that `what` needs where an import in the block fails.

    `instead` says how to do without. Raises ExtraMissingError.
    """
    try:
        yield
    except ImportError as error:
        otherwise = f", or {instead}" if instead else ""
        raise ExtraMissingError(
            f"{what} needs an extra ({error}); install it with: "
            f"pip install 'fixgate[{extra}]'{otherwise}"
        ) from error


class CheckoutError(FixgateError):
    """A repository or a commit cannot be laid down as a work tree."""


class EnvironmentBuildError(FixgateError):
    """The environment of a repository cannot be built.

    `log` holds the last lines of the tool that failed and `recipe` the recipe that was tried.
    """

    def __init__(self, message: str, *, log: str = "", recipe: str = "") -> None:
        super().__init__(message)
        self.log = log
        self.recipe = recipe


class InterpreterMissingError(EnvironmentBuildError):
    """No interpreter of the version that a recipe asks for is installed."""


class SandboxError(FixgateError):
    """The sandbox itself cannot be used (not: what runs inside it failed)."""


class WorkerLostError(FixgateError):
    """The workers that were to do a piece of work ended before it did, again and again."""


class PatchError(FixgateError):
    """A patch cannot be read or applied, or reaches outside the tree."""


_STATES: Mapping[type, str] = {
    CheckoutError: "checkout_error",
    EnvironmentBuildError: "environment_error",
    InterpreterMissingError: "interpreter_missing",
    SandboxError: "sandbox_error",
    WorkerLostError: "worker_lost",
}


def state_of(error: Exception, *, unusable_patch: str) -> str:
    """The state in which an error leaves what was to be judged, by the name that results have.

    A PatchError leaves it in `unusable_patch`, which depends on whose patch it is; what is not
    expected at all in `internal_error`.
    """
    states = {**_STATES, PatchError: unusable_patch}
    return next((states[kind] for kind in type(error).__mro__ if kind in states), "internal_error")
