"""How long a model is waited for, and how often it is asked again."""

from __future__ import annotations

import contextlib
import email.utils
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from generator.errors import LimitReachedError, ModelUnavailableError

Answer = TypeVar("Answer")

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


@dataclass(frozen=True)
class ModelRetryPolicy:
    """Bounds on one reply, in seconds unless said otherwise.

    `stall_seconds` may pass without any news, `reply_seconds` until a reply is whole. At most
    `attempts` requests are made for it. A wait that the endpoint asks for is obeyed up to
    `longest_wait`; where it names none, waits start at `first_wait` and double.
    """

    stall_seconds: float = 180.0
    reply_seconds: float = 1200.0
    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 120.0


class TransientError(ModelUnavailableError):
    """One attempt failed, and another may do better. `wait` is what the endpoint asks for."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@contextlib.contextmanager
def until(deadline: float) -> Iterator[None]:
    """Let no call to a model inside this block outlast a moment of `time.monotonic()`."""
    token = _deadline.set(min(deadline, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """Seconds until the nearest deadline; infinite where there is none."""
    return _deadline.get() - time.monotonic()


def time_is_up() -> LimitReachedError:
    """What to raise when a deadline passes while a model is waited for."""
    return LimitReachedError("the time is used up while waiting for the model")


def with_retries(attempt: Callable[[], Answer], retry_policy: ModelRetryPolicy) -> Answer:
    """Attempt until it succeeds or the attempts are used up.

    Raises ModelUnavailableError then, and at once where the endpoint asks for too long a wait;
    LimitReachedError where a deadline comes first.
    """
    for number in range(1, retry_policy.attempts):
        try:
            return attempt()
        except TransientError as error:
            problem = error
        _pause(problem, number, retry_policy)
    try:
        return attempt()
    except TransientError as error:
        tried = "once" if retry_policy.attempts == 1 else f"{retry_policy.attempts} times"
        message = f"{error} (asked {tried})"
    raise ModelUnavailableError(message)


def _pause(problem: TransientError, number: int, retry_policy: ModelRetryPolicy) -> None:
    wait = problem.wait
    if wait is None:
        doubled = min(retry_policy.first_wait * 2 ** (number - 1), retry_policy.longest_wait)
        wait = doubled * random.uniform(0.75, 1.0)  # noqa: S311 - spreads callers, hides nothing
    if wait > retry_policy.longest_wait:
        raise ModelUnavailableError(
            f"{problem}; it asks to wait {wait:.0f} s, "
            f"longer than {retry_policy.longest_wait:.0f} s"
        )
    if wait > seconds_left():
        raise time_is_up()
    time.sleep(wait)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that an answer asks to wait; None where it asks for none that can be read.

    `retry-after-ms` is OpenAI's; `Retry-After` holds seconds or a date (RFC 9110, 10.2.3).
    """
    milliseconds, value = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    for text, unit in ((milliseconds, 1000.0), (value, 1.0)):
        with contextlib.suppress(ValueError):
            seconds = float(text) / unit
            return max(seconds, 0.0) if math.isfinite(seconds) else None
    with contextlib.suppress(ValueError):
        moment = email.utils.parsedate_to_datetime(value)
        return max(moment.timestamp() - time.time(), 0.0)
    return None
