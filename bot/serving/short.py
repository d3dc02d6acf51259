"""A way for short requests that leaves ASGI out, which takes most of the time of such a request.

It is for what comes a thousand times a second, and is given whole requests only. The application
answers the same requests by ASGI, too: so come those that are long, in chunks, or unusual.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol, runtime_checkable

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from bot.serving.asgi import Headers

_SHORT: Final = 64 * 1024
"""Bytes of a body that is kept in memory while it comes, for each connection."""
_NOBODY_WAITS: Final = asyncio.Event()
_log = logging.getLogger(__name__)


class ShortRequest:
    """A request with its body, and what uvicorn asks of a request in hand."""

    message_event = _NOBODY_WAITS

    def __init__(self, headers: Mapping[bytes, bytes], client: tuple[str, int] | None) -> None:
        self.headers, self.client, self.body = headers, client, b""
        self.response_complete, self.disconnected, self.keep_alive = False, False, True


ShortAnswer = tuple[int, Headers, bytes]
"""Status, headers without the length, body."""
ShortWay = Callable[[ShortRequest], Awaitable[ShortAnswer]]
ShortWays = Mapping[bytes, ShortWay]
"""What answers to POST, by path."""


@runtime_checkable
class HasShortWays(Protocol):
    """An application of ASGI that has such a way, too."""

    short_ways: ShortWays


def is_short(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether these say how long a body is, and it is short."""
    return any(
        name == b"content-length" and value.isdigit() and int(value) <= _SHORT
        for name, value in headers
    )


async def answered(way: ShortWay, request: ShortRequest) -> ShortAnswer:
    """The answer, whatever happens."""
    try:
        return await way(request)
    except Exception:
        _log.exception("a request could not be answered")
        return 500, ((b"content-type", b"text/plain"),), b"Internal Server Error"


def as_http(status: int, headers: Headers, body: bytes, keep_alive: bool) -> bytes:
    """An answer as it is sent."""
    lines = [name + b": " + value + b"\r\n" for name, value in headers]
    if not keep_alive:
        lines.append(b"connection: close\r\n")
    length = b"content-length: %d\r\n\r\n" % len(body)
    return b"".join([STATUS_LINE[status], *lines, length, body])
