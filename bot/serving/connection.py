"""A connection of uvicorn that ends when its time is over, or when it sends too much.

Short requests to some paths go a shorter way than ASGI's, see `ShortWay`.
"""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bot.serving.asgi import LARGEST_BODY
from bot.serving.short import ShortRequest, ShortWay, ShortWays, answered, as_http, is_short

LARGEST_HEADERS: Final = 256 * 1024
_AROUND_BODIES: Final = 1024 * 1024
"""What chunks may add to a body, and what is read of one that is too large."""


@dataclass(frozen=True)
class ClientTimeouts:
    """How many seconds a client gets: for headers, for all else of a request, between requests.

    Who does not take the answer gets as long as for a body.
    """

    headers: float = 10.0
    body: float = 30.0
    idle: float = 75.0


class BoundedConnection(HttpToolsProtocol):
    """Knows until when the client has time; where it is over, somebody must `hang_up`.

    uvicorn bounds the time between requests only, and no size.
    """

    def __init__(
        self, timeouts: ClientTimeouts, most: int, short_ways: ShortWays, **more: Any
    ) -> None:
        """`most` connections are open at a time; `more` is uvicorn's."""
        super().__init__(**more)
        self._timeouts, self._most, self._short_ways = timeouts, most, short_ways
        self._bytes_left: int = LARGEST_HEADERS
        self.deadline = math.inf

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request; of too many connections, the one whose time ends first makes room."""
        super().connection_made(transport)
        self._wait(self._timeouts.idle)
        if len(self.connections) > self._most:
            bounded = (one for one in self.connections if isinstance(one, BoundedConnection))
            min(bounded, key=lambda one: one.deadline).hang_up()

    def data_received(self, data: bytes) -> None:
        """Read on; hang up on who sends more than a request may have."""
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            self.hang_up()
        else:
            super().data_received(data)

    def on_message_begin(self) -> None:
        """Headers begin."""
        super().on_message_begin()
        self._bytes_left = LARGEST_HEADERS
        self._wait(self._timeouts.headers)

    def on_headers_complete(self) -> None:
        """A body begins."""
        if self._may_go_the_short_way():
            self.cycle = ShortRequest(dict(self.headers), self.client)  # type: ignore[assignment]
        else:
            super().on_headers_complete()
        self._bytes_left = LARGEST_BODY + _AROUND_BODIES
        self._wait(self._timeouts.body)

    def on_body(self, body: bytes) -> None:
        """A part of a body; that of a short request is short, too."""
        if isinstance(self.cycle, ShortRequest):
            self.cycle.body += body
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """It is we who work."""
        if isinstance(self.cycle, ShortRequest):
            task = self.loop.create_task(self._answer(self.cycle, self._short_ways[self.url]))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        else:
            super().on_message_complete()
        if not self.cycle.response_complete:
            self._wait(math.inf)

    def on_response_complete(self) -> None:
        """The next request is waited for, unless it is here already."""
        super().on_response_complete()
        if self.cycle.response_complete:
            is_taken = not self.flow.write_paused
            self._wait(self._timeouts.idle if is_taken else self._timeouts.body)

    def pause_writing(self) -> None:
        """The client does not take what it gets."""
        super().pause_writing()
        self._wait(self._timeouts.body)

    def hang_up(self) -> None:
        """End the connection at once, with all that waits to be sent."""
        self.deadline = math.inf
        self.transport.abort()

    def _may_go_the_short_way(self) -> bool:
        """Whatever is unusual goes the usual way."""
        return (
            self.url in self._short_ways
            and self.parser.get_method() == b"POST"
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
            and not self.parser.should_upgrade()
            and not self.expect_100_continue
            and (self.cycle is None or self.cycle.response_complete)
            and is_short(self.headers)
        )

    async def _answer(self, request: ShortRequest, way: ShortWay) -> None:
        status, headers, body = await answered(way, request)
        if self.flow.write_paused:
            await self.flow.drain()
        request.response_complete = True
        if not request.disconnected:
            default = self.server_state.default_headers
            self.transport.write(as_http(status, [*default, *headers], body, request.keep_alive))
            if not request.keep_alive:
                self.transport.close()
            self.on_response_complete()

    def _wait(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
