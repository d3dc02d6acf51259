"""One long soak, told as a table: `make soak`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.soak import soak
from tests.soak.soak import Outcome, Plan, Soak


def print_outcome(console: Console, outcome: Outcome) -> None:
    """A table of all that happened, and the violations."""
    table = Table("what", "how often", title=f"{outcome.seconds:.0f} seconds")
    for title, counts in outcome.counts.items():
        table.add_row(f"[bold]{title}", str(sum(counts.values())))
        for name, count in sorted(counts.items()):
            table.add_row(f"  {name}", str(count))
    console.print(table)
    for one in outcome.violations:
        console.print(f"VIOLATION {one}", style="red", highlight=False, markup=False)
    console.print(f"{len(outcome.violations)} violations")


def main() -> None:
    """Run once, and tell; exit code 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(prog="soak", description=soak.__doc__)
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--keep", type=Path, help="an empty directory for logs and state")
    given = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as folder:
        place = given.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        plan = Plan(given.events, given.seed, given.database)
        outcome = Soak(plan, place, tell=_progress()).run()
    print_outcome(console, outcome)
    sys.exit(bool(outcome.violations))


def _progress() -> Callable[[object], None]:
    last = [0.0]

    def tell(what: object) -> None:
        if time.monotonic() - last[0] > 10:
            last[0] = time.monotonic()
            print(f"{time.strftime('%X')} {what}", flush=True)  # noqa: T201

    return tell


if __name__ == "__main__":
    main()
