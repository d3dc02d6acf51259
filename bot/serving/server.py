"""uvicorn, with connections that are bounded in time, size and number."""

from __future__ import annotations

import contextlib
import functools
import resource
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import uvicorn

from bot.serving.asgi import AsgiApplication
from bot.serving.connection import BoundedConnection, ClientTimeouts
from bot.serving.short import HasShortWays, ShortWays

CONNECTIONS: Final = 2000
"""Open at a time, slow ones included."""
_FILES_FOR_EACH: Final = 2
"""Descriptors of a connection: its own, and that of a body that is too large for memory."""
_OTHER_FILES: Final = 100
_SECONDS_TO_END: Final = 5
_NEVER: Final = 10**6


class HttpServer:
    """Serves an application on sockets, which it closes at its end."""

    def __init__(
        self,
        app: AsgiApplication,
        sockets: Sequence[socket.socket],
        timeouts: ClientTimeouts = ClientTimeouts(),  # noqa: B008 - it cannot be changed
        connections: int = CONNECTIONS,
    ) -> None:
        """`connections` are open at a time at most, fewer where few files may be open."""
        self._sockets = list(sockets)
        ways: ShortWays = app.short_ways if isinstance(app, HasShortWays) else {}
        made: Any = functools.partial(BoundedConnection, timeouts, _allowed(connections), ways)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=made,
                ws="none",
                lifespan="off",
                interface="asgi3",
                # What somebody sends who speaks no HTTP fills no log.
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                # It is our connections that know when they are late.
                timeout_keep_alive=_NEVER,
                timeout_notify=0,
                callback_notify=self._end_late_ones,
                timeout_graceful_shutdown=_SECONDS_TO_END,
            )
        )

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; then requests in hand get a moment to end."""
        self._server.run(self._sockets)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve in a thread, from `with` to its end."""
        thread = threading.Thread(target=self.run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._server.should_exit = True
            thread.join()

    async def _end_late_ones(self) -> None:
        now = time.monotonic()
        for connection in list(self._server.server_state.connections):
            if isinstance(connection, BoundedConnection) and connection.deadline < now:
                connection.hang_up()


def _allowed(connections: int) -> int:
    """How many connections the limit of open files allows, which is raised where it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHER_FILES + connections * _FILES_FOR_EACH
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(connections, max(1, (soft - _OTHER_FILES) // _FILES_FOR_EACH))
