"""Ports for servers of tests that must be named before they are started."""

from __future__ import annotations

import random
import socket
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST, _TRIES = 10_000, 1000


def free_port() -> int:
    """A port on which nobody listens now, and which nobody gets by chance.

    The kernel takes the ports of connections, and of servers that ask for any port, from a range of
    its own (ip(7), `ip_local_port_range`). One of these would often be somebody else's by the time
    the server is up, with several processes that run tests; so it is one below them.
    """
    end = int(_RANGE.read_text().split()[0])
    chance = random.SystemRandom()  # tests seed the usual generator, all with the same number
    for _ in range(_TRIES):
        port = chance.randrange(min(_LOWEST, end // 2), end)
        with socket.socket() as probe:
            if _binds(probe, port):
                return port
    raise OSError(f"no port below {end} is free after {_TRIES} tries")


def _binds(probe: socket.socket, port: int) -> bool:
    try:
        probe.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True
