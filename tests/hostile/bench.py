"""Judges heads of the corpus through `fixgate verify`, with one cache for all."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from bot.cli import main
from evaluator.storage.once import make_once

from .corpus import HEADS, java
from .corpus.head import BRANCH, Head, Project
from .repositories import write_alone, write_repository

EXIT_CODES = {0: "accept", 1: "reject", 3: "abstain"}


@dataclass(frozen=True)
class Answer:
    """What `fixgate verify` answers: decision, rules and reasons, and the seconds that it took.

    `refused` is the decision where the repository cannot be used; the reason is the message.
    """

    decision: str
    rules: tuple[str, ...]
    reasons: tuple[str, ...]
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.decision}: {'; '.join(self.reasons)}"


@dataclass(frozen=True)
class Bench:
    """Where the corpus is judged: repositories and the cache are below `root`.

    Processes may share it. `index` is the URL of a package index that has pytest.
    """

    root: Path
    index: str

    def judge(self, head: Head) -> Answer:
        """What `fixgate verify` answers to a head."""
        if head.spoil is None and head.spoil_other is None:
            return self._verify(head, self._shared(head.project), head.name, self.root / "cache")
        return self._judge_alone(head)

    def _judge_alone(self, head: Head) -> Answer:
        """In a repository of its own: what is done to it must not reach the others."""
        place = self.root / "alone" / f"{head.name}-{time.time_ns()}"
        cache = place / "cache"
        if head.spoil_other is not None:
            other = write_alone(place / "other" / head.project.name, head)
            head.spoil_other(other)
            self._verify(head, other.path, BRANCH, cache)
        tree = write_alone(place / head.project.name, head)
        if head.spoil is not None:
            head.spoil(tree)
        return self._verify(head, tree.path, BRANCH, cache)

    def _shared(self, project: Project) -> Path:
        every = (*HEADS, *java.HEADS)
        heads = [head for head in every if head.project.name == project.name]
        made = make_once(
            self.root / "repositories",
            project.name,
            lambda place: _write(place / project.name, project, heads),
        )
        return made / project.name

    def _verify(self, head: Head, repository: Path, branch: str, cache: Path) -> Answer:
        began = time.perf_counter()
        arguments = [
            *("verify", "--json", "--sandbox", "bubblewrap"),
            *("--timeout", str(head.seconds), "--memory", str(head.memory)),
            *("--repo", str(repository), "--base", "main", "--head", branch),
            *("--cache", str(cache), "--index-url", self.index),
            *("--regression-budget", str(head.budget)),
            *(self._given(head.project) if head.given else ()),
        ]
        done = CliRunner().invoke(main, arguments, catch_exceptions=False)
        if done.exit_code == 2:
            return Answer("refused", (), (done.stderr,))
        reasons = json.loads(done.stdout)["reasons"]
        return Answer(
            EXIT_CODES[done.exit_code],
            tuple(reason["rule"] for reason in reasons),
            tuple(reason["reason"] for reason in reasons),
            time.perf_counter() - began,
        )

    def _given(self, project: Project) -> tuple[str, ...]:
        made = make_once(self.root / "issues", project.name, lambda place: _lay(place, project))
        return "--tests", str(made / "issue.patch"), "--issue", str(made / "issue.md")


def _write(place: Path, project: Project, heads: list[Head]) -> None:
    write_repository(place, project, heads)


def _lay(place: Path, project: Project) -> None:
    place.mkdir()
    (place / "issue.patch").write_text(project.patch_of_given)
    (place / "issue.md").write_text(project.issue)
