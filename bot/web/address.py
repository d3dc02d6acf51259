"""Where the web process listens, or a line that says why it cannot."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence

from bot.errors import ConfigurationError
from bot.serving import tcp_sockets


def listening(host: str, port: int) -> Sequence[socket.socket]:
    """Sockets at an address. Raises ConfigurationError where nobody can listen there."""
    try:
        return tcp_sockets(host, port)
    except OSError as error:
        raise _unusable(host, port, error) from error


def check_address(host: str, port: int) -> None:
    """Raise ConfigurationError where nobody can listen at an address now."""
    for one in listening(host, port):
        one.close()


def _unusable(host: str, port: int, error: OSError) -> ConfigurationError:
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
