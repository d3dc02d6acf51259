"""What a queue costs, in one run: `python -m tests.distributed.bench`.

Tasks that do nothing give the overhead of one; tasks that sleep, which want no core of their own,
the speed of two workers against one.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click

from tests.conftest import RedisServer
from tests.distributed.conftest import Hosts

TASKS = 300
SLEEPS = 40
SECONDS = 0.5


def _seconds(hosts: Hosts, out: str, number: int, does: str) -> float:
    """From the first result to the last, so that the start of a worker does not count."""
    ended: list[float] = []
    groups = ({f"{out}-{n}": does} for n in range(number))
    hosts.batch(*groups, out=out, progress=lambda _: ended.append(time.monotonic()))
    return (ended[-1] - ended[0]) / (number - 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "redis")
        place.mkdir()
        server = RedisServer(place)
        server.start()
        hosts = Hosts(Path(folder), server.url)
        try:
            hosts.worker()
            nothing = _seconds(hosts, "nothing", TASKS, "notes")
            one = _seconds(hosts, "one", SLEEPS, f"sleeps {SECONDS}")
            hosts.worker()
            _seconds(hosts, "warm", 8, f"sleeps {SECONDS}")
            two = _seconds(hosts, "two", SLEEPS, f"sleeps {SECONDS}")
        finally:
            hosts.close()
            server.stop()
    click.echo(f"a task that does nothing, of {TASKS}: {1000 * nothing:.1f} ms")
    click.echo(f"a task of {SECONDS} s, of {SLEEPS}: one worker {one:.3f} s, two {two:.3f} s")
    click.echo(f"two workers against one: {one / two:.2f} x")


if __name__ == "__main__":
    main()
