"""Hosts of a network of their own: each has its own addresses, name, processes and files.

They are network namespaces below one bridge, which nobody else on the machine can see or reach.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

CENTRE = "10.213.0.1"
"""The address of the host at which all others meet."""


class Host:
    """One host. What it starts sees neither other hosts' processes nor their directories."""

    def __init__(self, name: str, place: Path) -> None:
        self.name, self.place, self.others = name, place, list[Path]()
        self.processes: list[subprocess.Popen[bytes]] = []
        place.mkdir()

    def start(
        self, command: Sequence[str], variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program; its output goes to a log in the host's directory."""
        hide = "".join(f"mount -t tmpfs none '{place}' && " for place in self.others)
        script = f'hostname "$0" && {hide}exec "$@"'
        apart = ["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        inside = [*apart, "sh", "-c", script, self.name.rpartition("-")[2], *command]
        environment = {**os.environ, **(variables or {})}
        with (self.place / "log").open("ab") as log:
            made = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *inside],
                stdout=log,
                stderr=log,
                env=environment,
            )
        self.processes.append(made)
        return made

    def lose(self) -> None:
        """End all that runs on this host at once, as a power cut does."""
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes.clear()


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[Sequence[Host]]:
    """Hosts of these names, the first of which has the address CENTRE."""
    prefix = f"fixgate-{os.getpid()}"
    hosts = [Host(f"{prefix}-{name}", folder / name) for name in names]
    with contextlib.ExitStack() as stack:
        for host in hosts:
            host.others = [other.place for other in hosts if other is not host]
            _ip("netns", "add", host.name)
            stack.callback(_ip, "netns", "del", host.name)
            stack.callback(host.lose)
        _connect(hosts)
        yield hosts


def _connect(hosts: Sequence[Host]) -> None:
    centre = hosts[0].name
    _ip("-n", centre, "link", "add", "bridge", "type", "bridge")
    for number, host in enumerate(hosts[1:], start=2):
        cable = ("link", "add", f"to{number}", "type", "veth", "peer", "name", "eth0")
        _ip("-n", centre, *cable, "netns", host.name)
        _ip("-n", centre, "link", "set", f"to{number}", "master", "bridge", "up")
        _up(host.name, "eth0", f"10.213.0.{number}/24")
    _up(centre, "bridge", f"{CENTRE}/24")


def _up(host: str, device: str, address: str) -> None:
    _ip("-n", host, "addr", "add", address, "dev", device)
    for name in ("lo", device):
        _ip("-n", host, "link", "set", name, "up")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
