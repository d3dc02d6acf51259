"""Sockets that listen."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Sequence
from pathlib import Path


def tcp_sockets(host: str, port: int) -> Sequence[socket.socket]:
    """One for each address of a host. Raises OSError."""
    with contextlib.ExitStack() as stack:
        opened = [
            stack.enter_context(socket.create_server(address[:2], family=family))
            for family, *_, address in socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        ]
        stack.pop_all()
    return opened


def unix_socket(path: Path) -> socket.socket:
    """One for this user only; what an earlier process left there is removed. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()
    with contextlib.ExitStack() as stack:
        made = stack.enter_context(socket.socket(socket.AF_UNIX))
        before = os.umask(0o177)
        try:
            made.bind(str(path))
        finally:
            os.umask(before)
        made.listen()
        stack.pop_all()
    return made
