"""How long `fixgate verify` takes beside bare pytest: `make bench-verify MIRRORS=...`.

For each of ten real commits the commands `fixgate verify --quick` and `fixgate verify` take turns
with the bare framework, which runs the change's own test files once without its code and once with
it, one after the other, in the same environment, outside of any sandbox. All is warm: trees are
laid down, environments built, and what existing tests execute is known; no run of the change
itself is kept. Ratios are those of wall time, and of the processor time of all processes.
"""

from __future__ import annotations

import argparse
import functools
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evaluator.execution import Subject
from evaluator.judge import files_to_run
from evaluator.languages import language_of
from evaluator.model import Revision
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verification.change import Change, change_between
from evaluator.workspace import Workspace, WorkspaceSettings, default_cache
from tests.bare import Bare, Cost, measured

COMMITS = (
    ("pallets/click", "762c97eef7c1b3779678992f26a553a2a8c80793"),
    ("pallets/click", "07c909f23f0f83b5ca137c167b9a134d66201f67"),
    ("pallets/jinja", "66587ce989e5a478e0bb165371fa2b9d42b7040f"),
    ("pallets/jinja", "56a724644b1ad9cb03745c10cca732715cdc79e9"),
    ("mkdocs/mkdocs", "cd8011633934496f5021660bb09ce6bd8f5d612a"),
    ("getsentry/responses", "a19add7777d7d0c64eeb364f6cc9de624c33f4f8"),
    ("pallets/werkzeug", "051fd66352cf8b3f0797249858068dedaead6d39"),
    ("pypa/packaging", "4e79787a31c99348649bb0dafee2a5078d3595be"),
    ("pytest-dev/pluggy", "0b7790eb2adf436c6df39c9a2256aa8a31ba3893"),
    ("python-attrs/attrs", "97f8d175656bc03c373a1c9038048a4d312c307c"),
)
KINDS: Mapping[str, tuple[str, ...]] = {"quick": ("--quick",), "full": ()}
SECONDS_TO_LEARN = 300
"""In which existing tests that a change can affect run once: what they execute is known then."""
VERDICTS = {0: "accept", 1: "reject", 3: "cannot tell"}


@dataclass(frozen=True)
class Turns:
    """The verdict on a commit, and the median costs of bare runs and of each kind of verdict."""

    verdict: str
    costs: Mapping[str, Cost]

    @property
    def bare(self) -> Cost:
        """What the bare runs of both sides cost, one after the other."""
        return self.costs["bare"]

    def ratios(self, kind: str) -> tuple[float, float]:
        """How many times the bare runs' wall time a kind takes, and their processor time."""
        cost = self.costs[kind]
        return cost.wall / self.bare.wall, cost.processor / self.bare.processor

    @property
    def told(self) -> Sequence[str]:
        """The ratios of all kinds, in words."""
        return [_told(*self.ratios(kind)) for kind in KINDS]


@dataclass(frozen=True)
class Commit:
    """A commit that is verified, in a local mirror of its repository, with a cache for all."""

    name: str
    commit: str
    mirror: Path
    cache: Path

    def verify(self, arguments: Sequence[str]) -> str:
        """The verdict of `fixgate verify`, made without any run that was kept."""
        shutil.rmtree(self.cache / "runs", ignore_errors=True)
        command = [
            *(str(Path(sys.executable).with_name("fixgate")), "verify", "--json"),
            *("--sandbox", "bubblewrap", "--cache", str(self.cache), "--repo", str(self.mirror)),
            *("--base", f"{self.commit}^", "--head", self.commit, *arguments),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in VERDICTS:
            sys.exit(f"{self.name} {self.commit}: {done.stderr.strip()}")
        return VERDICTS[done.returncode]

    def turns(self, repeat: int) -> Turns:
        """Bare runs and each kind of verdict, by turns, once the caches are filled."""
        verdict = self.verify(("--regression-budget", str(SECONDS_TO_LEARN)))
        change = change_between(self.mirror, f"{self.commit}^", self.commit, self.cache)
        settings = WorkspaceSettings((str(self.mirror),), self.cache, ResourceLimits())
        workspace = Workspace(settings, choose_sandbox("bubblewrap"))
        bare = Bare(self.name, workspace.trees, _subject(workspace, change))
        files = files_to_run(change.tests)
        costs: dict[str, list[Cost]] = {name: [] for name in ("bare", *KINDS)}
        for _ in range(repeat):
            sides = [bare.cost(side, change.tests, files) for side in Revision]
            costs["bare"].append(sides[0] + sides[1])
            for kind, arguments in KINDS.items():
                costs[kind].append(measured(functools.partial(self.verify, arguments)))
        return Turns(verdict, {kind: _median(each) for kind, each in costs.items()})


def _subject(workspace: Workspace, change: Change) -> Subject:
    discover = language_of([*change.code.contents, *change.tests.contents]).environments.discover
    return workspace.exact_subject(change.repo, change.base, change.code, change.lines, discover)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.processor for cost in costs),
    )


def main() -> None:
    """Read the command line, take the turns, and print a row for each commit."""
    options = read_options(__doc__ or "")
    console = Console(width=140)
    table = Table("commit", "verdict", "bare", *(f"{kind}, x bare" for kind in KINDS))
    found = []
    for name, mirror, commit in options.mirrored(console):
        turns = Commit(name, commit, mirror, options.cache).turns(options.repeat)
        row = (f"{name} {commit[:8]}", turns.verdict, f"{turns.bare.wall:.2f} s", *turns.told)
        # Each takes a minute or more, and who stops this keeps what there is.
        console.print(" | ".join(row))
        table.add_row(*row)
        found.append(turns)
    medians = [_told(*(statistics.median(part) for part in _parts(found, kind))) for kind in KINDS]
    table.add_row("median", "", "", *medians)
    console.print(table)


def _parts(found: Sequence[Turns], kind: str) -> Iterable[Sequence[float]]:
    """The ratios of wall time of some commits, and those of processor time."""
    return zip(*(turns.ratios(kind) for turns in found), strict=True)


def _told(wall: float, processor: float) -> str:
    return f"{wall:.2f} (processor {processor:.2f})"


@dataclass(frozen=True)
class Options:
    """Which commits are measured, where they are found, how often, and what is kept where."""

    mirrors: Path
    cache: Path
    repeat: int
    commits: tuple[tuple[str, str], ...]

    def mirrored(self, console: Console) -> Sequence[tuple[str, Path, str]]:
        """The commits whose repository has a mirror, each with its name and that; says if not.

        Leaves where none has one.
        """
        found = []
        for name, commit in self.commits:
            mirror = self.mirrors / name.replace("/", "+") / "repo"
            if mirror.is_dir():
                found.append((name, mirror, commit))
            else:
                console.print(f"{name}: left out, as there is no mirror {mirror}")
        return found or sys.exit(f"{self.mirrors} has a mirror of none of the repositories")


def read_options(description: str) -> Options:
    """Read the command line; leaves with a usage error where no directory of mirrors is named."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--mirrors", type=Path, default=os.environ.get("FIXGATE_MIRRORS"))
    parser.add_argument("--cache", type=Path, default=default_cache() / "bench-verify")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="", help="Part of a repository's name or a commit's id.")
    given = parser.parse_args()
    if not given.mirrors or not Path(given.mirrors).is_dir():
        parser.error(
            "name a directory of git mirrors, OWNER+NAME/repo: make bench-verify MIRRORS=..."
        )
    commits = tuple(each for each in COMMITS if given.only in " ".join(each))
    return Options(Path(given.mirrors).resolve(), given.cache, given.repeat, commits)


if __name__ == "__main__":
    main()
