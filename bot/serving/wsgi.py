"""WSGI applications, such as those of Flask, on a server that speaks ASGI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from a2wsgi import WSGIMiddleware

from bot.serving.asgi import (
    AsgiApplication,
    ClientGoneError,
    Message,
    Receive,
    Scope,
    Send,
    TooLargeError,
    refuse_as_too_large,
    whole_body,
)

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

THREADS: Final = 32
"""How many requests are worked on at a time: those to GitHub's API wait for it meanwhile."""
_OF_TRANSFER: Final = (b"content-length", b"transfer-encoding")


def asgi(app: WSGIApplication, threads: int = THREADS) -> AsgiApplication:
    """A WSGI application as one of ASGI.

    No thread waits for a client: it gets a whole request, and leaves a whole answer behind.
    """
    bridged = cast(AsgiApplication, WSGIMiddleware(app, workers=threads))  # type: ignore[arg-type]

    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await whole_body(receive)
        except TooLargeError:
            await refuse_as_too_large(send)
        except ClientGoneError:
            pass
        else:
            for message in await _answered(bridged, _whole(scope, body), body):
                await send(message)

    return called


async def _answered(app: AsgiApplication, scope: Scope, body: bytes) -> list[Message]:
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def keep(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, keep)
    return messages


def _whole(scope: Scope, body: bytes) -> Scope:
    """With the length of its body, also where that came in chunks."""
    others = [one for one in scope["headers"] if one[0] not in _OF_TRANSFER]
    return {**scope, "headers": [*others, (b"content-length", str(len(body)).encode())]}
