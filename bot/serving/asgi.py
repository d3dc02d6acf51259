"""Reading requests and writing answers of ASGI: https://asgi.readthedocs.io/en/latest/specs/www.html."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

LARGEST_BODY: Final = 25 * 1024 * 1024
"""GitHub sends no more than 25 MB."""
_IN_MEMORY: Final = 512 * 1024
"""What is larger is in a file until all of it is there: many may come at a time."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApplication = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]


class TooLargeError(Exception):
    """A body has more bytes than it may."""


class ClientGoneError(Exception):
    """A client hung up before its request was complete."""


async def whole_body(receive: Receive) -> bytes:
    """The body of a request, once all of it is there.

    Raises TooLargeError above LARGEST_BODY, ClientGoneError.
    """
    message = await _part(receive)
    if not message.get("more_body"):
        return bytes(message["body"])
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        while file.write(message["body"]) is not None and message.get("more_body"):
            message = await _part(receive)
            if file.tell() + len(message["body"]) > LARGEST_BODY:
                raise TooLargeError
        file.seek(0)
        return file.read()


async def _part(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGoneError
    return message


async def answer(send: Send, status: int, body: bytes, headers: Headers) -> None:
    """Answer a request; its length is added."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


async def refuse_as_too_large(send: Send) -> None:
    """Answer a request of which not everything was read, and never will be."""
    headers = ((b"content-type", b"text/plain"), (b"connection", b"close"))
    await answer(send, 413, f"larger than {LARGEST_BODY} bytes".encode(), headers)
