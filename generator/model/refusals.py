"""What an endpoint means when it does not answer, in words, with what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.errors import ContextTooLongError, ModelError, ModelRefusedError
from generator.errors import ModelUnavailableError as Unavailable
from generator.model.endpoint import KEYS, Endpoint
from generator.model.retries import TransientError, retry_after

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
