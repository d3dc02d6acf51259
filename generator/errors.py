"""The errors that the writer raises on purpose, beside those of the judge."""

from __future__ import annotations

import traceback

from evaluator import FixgateError, InputError


class ModelError(FixgateError):
    """A model could not be asked, or did not answer in a way that can be used."""


class ModelRefusedError(ModelError):
    """The endpoint refuses for good: a wrong key, an unknown model, a request it does not take."""


class ModelUnavailableError(ModelError):
    """The endpoint did not answer after all retries: errors, limits of rate, stalls."""


class ContextTooLongError(ModelError):
    """The messages do not fit into what the model can read."""


class LimitReachedError(FixgateError):
    """A limit of money, time or calls is used up: what was found so far stays, no more is begun."""


def problem_of(error: Exception) -> str:
    """Why one piece of work of many could not be done. Raises what would end all of them alike."""
    if isinstance(error, InputError):
        raise error
    if isinstance(error, FixgateError):
        return str(error)
    trace = "".join(traceback.format_exception(error)[-6:])
    return f"a defect of fixgate: {trace}"
