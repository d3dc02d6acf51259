"""How many webhook deliveries a second are taken, beside a Probot app that only logs: `make load`.

Sends the same signed deliveries to both, in turns, in one run. fixgate has each on disk before it
answers; afterwards all that it answered must be in its store, and in its queue exactly once.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.load.client import LONGEST_SECONDS, Order, Sent, send
from tests.load.deliveries import payload
from tests.load.servers import Server, fixgate, probot, trivial, why_no_probot


@dataclass(frozen=True)
class Round:
    """One server under load, once."""

    server: str
    sent: Sent
    processor_seconds: float

    @property
    def per_second(self) -> float:
        return len(self.sent.answers) / self.sent.seconds

    @property
    def errors(self) -> int:
        return sum(
            not 200 <= status < 300 or seconds > LONGEST_SECONDS
            for _, status, seconds in self.sent.answers
        )

    def milliseconds(self, share: float) -> float:
        """What so great a share of deliveries waited for their answer at most."""
        waited = sorted(seconds for _, _, seconds in self.sent.answers)
        return 1000 * waited[min(len(waited) - 1, int(share * len(waited)))]


def main() -> int:
    chosen = _parser().parse_args()
    console = Console()
    body = payload()
    console.print(f"{chosen.rounds} rounds of {chosen.count} deliveries of {len(body)} bytes")
    with _servers(console) as servers:
        rounds = [
            _round(server, Order(server.target, body, seed=seed, **_how(chosen)))
            for seed in range(chosen.rounds)
            for server in servers
        ]
        complaints = [
            f"{server.name}: {complaint}"
            for server in servers
            for complaint in server.complaints([r.sent for r in rounds if r.server == server.name])
        ]
    console.print(_table(rounds))
    _compare(rounds, console)
    for complaint in complaints or ["Nothing is lost, nothing is queued twice."]:
        console.print(complaint)
    return 1 if complaints or any(one.errors for one in rounds if one.server == "fixgate") else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument("--count", type=int, default=3000, help="deliveries of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument(
        "--rate",
        type=float,
        default=0.0,
        help="deliveries sent a second, however long answers take",
    )
    parser.add_argument("--duplicates", type=float, default=0.05, help="share that comes twice")
    return parser


def _how(chosen: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(chosen, name) for name in ("count", "duplicates", "clients", "rate")}


@contextlib.contextmanager
def _servers(console: Console) -> Iterator[Sequence[Server]]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fixgate-load-")))
        servers: list[Server] = [stack.enter_context(fixgate(folder / "fixgate"))]
        if missing := why_no_probot():
            console.print(f"Without Probot: {missing}")
        else:
            servers.append(stack.enter_context(probot(folder / "probot")))
        servers.append(stack.enter_context(trivial(folder)))
        yield servers


def _round(server: Server, order: Order) -> Round:
    before = server.processor_seconds()
    sent = send(order)
    return Round(server.name, sent, server.processor_seconds() - before)


def _table(rounds: Sequence[Round]) -> Table:
    table = Table("server", *("1/s", "p50 ms", "p99 ms", "max ms", "errors", "CPU ms", "sender"))
    for one in rounds:
        waited = (f"{one.milliseconds(share):.1f}" for share in (0.5, 0.99, 1.0))
        each = 1000 * one.processor_seconds / len(one.sent.answers)
        busy = f"{100 * one.sent.busy / one.sent.seconds:.0f} %"
        table.add_row(
            one.server, f"{one.per_second:.0f}", *waited, str(one.errors), f"{each:.2f}", busy
        )
    return table


def _compare(rounds: Sequence[Round], console: Console) -> None:
    names = list(dict.fromkeys(one.server for one in rounds))
    ours, *others = ([one for one in rounds if one.server == name] for name in names)
    for theirs in others:
        for what, ratios in {
            "throughput": [a.per_second / b.per_second for a, b in zip(ours, theirs, strict=True)],
            "p99": [
                a.milliseconds(0.99) / b.milliseconds(0.99)
                for a, b in zip(ours, theirs, strict=True)
            ],
        }.items():
            console.print(
                f"{what}, fixgate / {theirs[0].server}: median {statistics.median(ratios):.2f} "
                f"({min(ratios):.2f} to {max(ratios):.2f})"
            )


if __name__ == "__main__":
    sys.exit(main())
