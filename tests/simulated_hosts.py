"""A batch on many hosts, simulated on recorded durations: `python -m tests.simulated_hosts`.

Each task is one instance with its predictions. A host does one task at a time, needs the
environment of the task's version of its repository once, and takes tasks as they come, or as
`BatchWorker` does: those of an affinity that it knows first, then from where most waits. Affinities
are repositories, or repositories with their versions.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click


@dataclass(frozen=True)
class SimulatedTask:
    environment: str
    seconds: float


@dataclass(frozen=True)
class Figures:
    """What came of a run, in seconds and shares."""

    wall: float
    busy: float
    built: int
    longest: float


def recorded(path: Path, number: int, factor: float, seed: int) -> list[SimulatedTask]:
    """So many tasks drawn from records of both sides' seconds, each so many times as long."""
    rows = list(json.loads(path.read_text()).values())
    known = [
        SimulatedTask(
            f"{row['repo']} {row['version']}",
            factor * (row["seconds_base"] + row["seconds_patched"]),
        )
        for row in rows
    ]
    return random.Random(seed).choices(known, k=number)


AFFINITIES: Mapping[str, Callable[[SimulatedTask], str]] = {
    "none": lambda task: "",
    "repository": lambda task: task.environment.partition(" ")[0],
    "version": lambda task: task.environment,
}


def simulate(
    tasks: Sequence[SimulatedTask],
    hosts: int,
    build: float,
    overhead: float,
    affinity_of: Callable[[SimulatedTask], str],
) -> Figures:
    """Hosts that begin at once and take the next task whenever they have done one."""
    queues: dict[str, list[SimulatedTask]] = defaultdict(list)
    for task in reversed(tasks):
        queues[affinity_of(task)].append(task)
    known: list[list[str]] = [[] for _ in range(hosts)]
    has: list[set[str]] = [set() for _ in range(hosts)]
    free = [(0.0, host) for host in range(hosts)]
    busy, built, wall = 0.0, 0, 0.0
    while any(queues.values()):
        now, host = heapq.heappop(free)
        name = next((name for name in known[host] if queues[name]), None)
        if name is None:
            name = max(queues, key=lambda name: len(queues[name]))
        known[host] = [name, *(other for other in known[host] if other != name)]
        task = queues[name].pop()
        is_new = task.environment not in has[host]
        has[host].add(task.environment)
        built += is_new
        end = now + task.seconds + overhead + (build if is_new else 0.0)
        busy, wall = busy + task.seconds, max(wall, end)
        heapq.heappush(free, (end, host))
    return Figures(wall, busy / (wall * hosts), built, max(task.seconds for task in tasks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", type=Path, help="recipes_dev.json: seconds of golden tests")
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--factor", type=float, default=5.0, help="predictions of an instance")
    parser.add_argument("--build", type=float, default=60.0, help="seconds for an environment")
    parser.add_argument("--overhead", type=float, default=0.05, help="seconds of the queue")
    options = parser.parse_args()
    tasks = recorded(options.recipes, options.tasks, options.factor, seed=1)
    for hosts in (1, 10, 100, 1000):
        for name, affinity_of in AFFINITIES.items():
            found = simulate(tasks, hosts, options.build, options.overhead, affinity_of)
            click.echo(
                f"{hosts:5} hosts, affinity {name:10}: {found.wall / 60:8.1f} min, "
                f"{found.busy:4.0%} judging, {found.built:6} environments built, "
                f"longest task {found.longest:.0f} s"
            )


if __name__ == "__main__":
    main()
