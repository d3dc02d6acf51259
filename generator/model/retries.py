"""How long a model is waited for, how often it is asked again, and what its refusals mean."""

from __future__ import annotations

import contextlib
import email.utils
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from generator.errors import (
    ContextTooLongError,
    LimitReachedError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
)
from generator.errors import ModelUnavailableError as Unavailable
from generator.model.endpoint import KEYS, Endpoint

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


_LONGEST_DETAIL = 300
_TRY_AGAIN = frozenset({408, 409, 425, 429})
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
}
"""https://docs.anthropic.com/en/api/errors, which others follow."""

_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|maximum context|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|exceeds? the (?:maximum|model'?s|available) number of tokens",
    re.IGNORECASE,
)
_CERTIFICATE = re.compile("CERTIFICATE_VERIFY_FAILED|certificate verify failed", re.IGNORECASE)


def refusal(
    endpoint: Endpoint, model: str, status: int, body: object, headers: Mapping[str, str]
) -> ModelError:
    """The error for an answer with a status of 400 or more, or an error inside of a stream.

    There, the status is below 400, as all seemed well; the name of the error stands for it.
    """
    detail = _detail(endpoint, body)
    if status < 400:
        status = _status_inside(_code(body))
    if status in (400, 413, 422, 500) and _TOO_LONG.search(f"{_code(body)} {detail}"):
        return ContextTooLongError(f"the messages are too long for {model}: {detail}")
    if status == 429 and _code(body) == "insufficient_quota":
        return ModelRefusedError(f"the account at {endpoint.base_url} has no credit left: {detail}")
    if status >= 500 or status in _TRY_AGAIN:
        message = f"{endpoint.base_url} answers {status}: {detail}"
        return TransientError(message, retry_after(headers))
    return ModelRefusedError(_refused(endpoint, model, status, detail))


def unreachable(endpoint: Endpoint, error: BaseException) -> ModelError:
    """The error for an endpoint that no request got to, or that broke the connection."""
    reason = endpoint.redact(_root(error))
    if not _CERTIFICATE.search(reason):
        return TransientError(f"{endpoint.base_url} cannot be reached: {reason}")
    return Unavailable(
        f"the certificate of {endpoint.base_url} is not trusted ({reason}). Where a proxy opens "
        "TLS, name its certificates with --ca-bundle FILE or the variable SSL_CERT_FILE"
    )


def garbage(endpoint: Endpoint, what: str) -> TransientError:
    """The error for an answer that is no reply in the protocol."""
    return TransientError(
        f"{endpoint.base_url} sent {endpoint.redact(what)[:_LONGEST_DETAIL]}: if that stays so, "
        "it is no endpoint of this protocol (the address usually ends in /v1)"
    )


def _refused(endpoint: Endpoint, model: str, status: int, detail: str) -> str:
    url, key = endpoint.base_url, endpoint.key
    match status:
        case 401 if key is None:
            return f"{url} wants a key: put it into the variable {KEYS[0]} ({detail})"
        case 401:
            return f"{url} does not take the key in {key and key.source}: {detail}"
        case 402:
            return f"the account at {url} has no credit left: {detail}"
        case 403:
            return f"the key is not allowed to use {model} at {url}: {detail}"
        case 404:
            return (
                f"{url} knows no model {model!r}, or is no endpoint of this protocol (the address "
                f"usually ends in /v1): {detail}"
            )
    return f"{url} does not take the request ({status}): {detail}"


def _status_inside(code: str) -> int:
    return int(code) if code.isdigit() else _STATUS_OF_TYPE.get(code, 500)


def _detail(endpoint: Endpoint, body: object) -> str:
    """What the endpoint says itself, in one line, without the key."""
    text = " ".join(endpoint.redact(_message(body)).split()) or "nothing more is said"
    return text if len(text) <= _LONGEST_DETAIL else f"{text[:_LONGEST_DETAIL]}..."


def _message(body: object) -> str:
    error = _error(body)
    message = error.get("message", error.get("detail"))
    return str(message) if message else str(body or "")


def _code(body: object) -> str:
    error = _error(body)
    return str(error.get("code") or error.get("type") or "")


def _error(body: object) -> Mapping[str, Any]:
    """The `error` object of a body, which some servers leave out and the packages take out."""
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("error")
    return inner if isinstance(inner, Mapping) else body


def timed_out_reading(error: BaseException) -> bool:
    """Whether the endpoint was reached and then said nothing for too long.

    The packages bring HTTP libraries of their own, which agree on the name.
    """
    return any(type(each).__name__ == "ReadTimeout" for each in _chain(error))


def _root(error: BaseException) -> str:
    """What the first error in the chain says: those above it only say that there was one."""
    *_, first = _chain(error)
    return str(first) or type(first).__name__


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
