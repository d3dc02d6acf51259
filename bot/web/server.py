"""Serves a web application; clients that are slow have a bounded time, and keep nobody out.

waitress reads requests without a thread for each, and begins with a request once all of it has
arrived. What it lacks is an end for those that never do.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import resource
import socket
import time
from dataclasses import dataclass
from typing import Any, Final
from wsgiref.types import WSGIApplication

import waitress
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

from bot.errors import ConfigurationError
from bot.web.webhook import LARGEST_BODY

THREADS: Final = 32
"""As many deliveries are written together as threads wait for that, at most."""
CONNECTIONS: Final = 2000
"""Open at a time, slow ones included; others wait until one ends."""
_FILES_FOR_EACH: Final = 2
"""Descriptors of a connection: its own, and that of a body that is too large for memory."""
_OTHER_FILES: Final = 100


@dataclass(frozen=True)
class ClientTimeouts:
    """How many seconds a client gets: for headers, for all else of a request, between requests.

    Who does not take the answer gets as long as for a body.
    """

    headers: float = 10.0
    body: float = 30.0
    idle: float = 75.0


def listening(app: WSGIApplication, host: str, port: int, timeouts: ClientTimeouts) -> Any:
    """A server of waitress that listens; its `run` serves until the process is ended.

    Raises ConfigurationError where nobody can listen there.
    """
    servers: dict[int, Any] = {}
    try:
        found: Any = waitress.create_server(  # type: ignore[attr-defined]
            app,
            map=servers,
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=_connections(),
            # One more, so that it is Flask which refuses, with an answer that says why.
            max_request_body_size=LARGEST_BODY + 1,
            # Most deliveries in one piece; poll(2) instead of select(2) for any number of clients.
            recv_bytes=65536,
            asyncore_use_poll=True,
            ident=None,
        )
    except OSError as error:
        raise unusable(host, port, error) from error
    for one in servers.values():
        if isinstance(one, BaseWSGIServer):
            accepting: Any = one
            accepting.channel_class = functools.partial(BoundedChannel, timeouts)
    return found


def check_address(host: str, port: int) -> None:
    """Raise ConfigurationError where nobody can listen at an address now."""
    try:
        for family, kind, protocol, _, address in _addresses(host, port):
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        raise unusable(host, port, error) from error


def unusable(host: str, port: int, error: OSError) -> ConfigurationError:
    """For an address at which nobody can listen: what to do about it."""
    if error.errno == errno.EADDRINUSE:
        return ConfigurationError(
            f"port {port} of {host} is in use: stop what listens there, or set FIXGATE_PORT to "
            "another one"
        )
    reason = error.strerror or str(error)
    return ConfigurationError(
        f"cannot listen at {host}, port {port}: {reason}; see FIXGATE_HOST and FIXGATE_PORT"
    )


def _addresses(host: str, port: int) -> Any:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)


def _connections() -> int:
    """How many connections the limit of open files allows, which is raised where it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHER_FILES + CONNECTIONS * _FILES_FOR_EACH
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(CONNECTIONS, max(1, (soft - _OTHER_FILES) // _FILES_FOR_EACH))


class BoundedChannel(HTTPChannel):
    """A connection that ends when its time is over.

    waitress asks each connection at least once a second whether it is readable.
    """

    def __init__(self, timeouts: ClientTimeouts, *arguments: Any, **more: Any) -> None:
        self._timeouts = timeouts
        self._answered = self._began = time.monotonic()
        super().__init__(*arguments, **more)

    def readable(self) -> bool:
        """Whether more may be read; ends the connection where it is late."""
        now = time.monotonic()
        if self.requests:  # it is we who work
            self._answered = self._began = now
        elif self._is_idle():
            self._began = now
        if now > self._deadline():
            self._hang_up()
        return bool(super().readable())

    def _is_idle(self) -> bool:
        return self.request is None and not self.total_outbufs_len

    def _deadline(self) -> float:
        if self._is_idle():
            return self._answered + self._timeouts.idle
        in_headers = self.request is not None and not self.request.headers_finished
        return self._began + (self._timeouts.headers if in_headers else self._timeouts.body)

    def _hang_up(self) -> None:
        self.will_close = True
        if self.socket is not None:
            with contextlib.suppress(OSError):
                # Without this, a client that does not take its answer would keep the connection.
                self.socket.shutdown(socket.SHUT_RDWR)
