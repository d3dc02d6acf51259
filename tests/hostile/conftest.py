"""One App, one repository with a reproduced issue, and a branch for each attack."""

from __future__ import annotations

import dataclasses
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from bot.demo.simulator import ApiLimits, GitHubSimulator
from bot.jobs.run import run_job
from bot.jobs.services import workspaces
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import MEBIBYTE, ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings
from tests.app.conftest import REPOSITORY, SCRIPT, Story

from .trees import Content, committed

CANARY = "c4nary-in-the-environment-of-the-worker"
ABSTRACT = f"fixgate-hostile-{os.getpid()}"
TIGHT = ResourceLimits(
    wall_seconds=10,
    cpu_seconds=4,
    memory_bytes=512 * MEBIBYTE,
    processes=64,
    disk_bytes=64 * MEBIBYTE,
    output_bytes=MEBIBYTE,
)


class Target:
    """Whom the attacks are made on, and what listens for those who get out."""

    def __init__(self, story: Story, folder: Path) -> None:
        self.story = story
        self.folder = folder
        self.heads: list[str] = []
        self.sockets = [socket.socket(), *(socket.socket(socket.AF_UNIX) for _ in range(2))]
        for listener, place in zip(self.sockets, self._places(), strict=True):
            listener.bind(place)
            listener.listen()
            listener.setblocking(False)
        self.issue = story.bob.open_issue(REPOSITORY, "shorten cuts texts that fit", SCRIPT)
        self.work()

    def _places(self) -> Sequence[tuple[str, int] | str]:
        return ("127.0.0.1", 0), f"{self.folder}/minter.sock", f"\0{ABSTRACT}"

    @property
    def names(self) -> Mapping[str, object]:
        """What the code of an attack has to know."""
        cache = [str(path) for path in self.folder.rglob("*") if path.is_dir()][:50]
        port = self.sockets[0].getsockname()[1]
        return {"port": port, "folder": self.folder, "abstract": ABSTRACT, "cache": cache}

    def visitors(self) -> int:
        """How many came to what listens."""
        return sum(map(_has_visitor, self.sockets))

    def work(self) -> None:
        """Handle all events and do all jobs, as workers do."""
        while self.story.plan():
            key = self.story.queue.keys.pop(0)
            run_job(self.story.services, key)
            row = self.story.services.store.jobs.get(key)
            assert row is not None
            assert (row.state, row.attempts) == ("done", 1), row.message

    def attacked(self, files: Mapping[str, Content], body: str = "Fixes #1") -> dict[str, object]:
        """The check that a pull request with these files gets."""
        branch = f"attack-{len(self.heads)}"
        head = committed(self.story.github.repository(REPOSITORY).git, branch, files)
        self.heads.append(head)
        self.story.alice.open_pull(REPOSITORY, branch, "Fix shorten", body)
        self.work()
        (check,) = self.story.checks(head)
        return check

    def kept(self) -> Iterator[tuple[str, bytes]]:
        """All that the App wrote to its disk and to GitHub, with where."""
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                yield str(path), path.read_bytes()
        for head in self.heads:
            yield f"check of {head}", repr(self.story.checks(head)).encode()
        for number in self.story.github.repository(REPOSITORY).issues:
            for comment in self.story.comments(number):
                yield f"comment on {number}", comment.encode()


def _has_visitor(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("hostile")
    plenty = 10**6
    limits = ApiLimits(plenty, plenty, 100, plenty, plenty, plenty)
    with GitHubSimulator(limits=limits) as github, pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIXGATE_CANARY_TOKEN", CANARY)
        story = Story(github, folder, folder / "cache")
        made = Target(story, folder)
        yield made
        for listener in made.sockets:
            listener.close()
        story.close()


@pytest.fixture
def tight(target: Target) -> Iterator[Target]:
    """The same under limits that are soon come to."""
    usual = target.story.services
    settings = WorkspaceSettings((), target.folder / "cache", TIGHT, offline=True)
    make = workspaces(settings, lambda s: Workspace(s, choose_sandbox("bubblewrap")))
    target.story.services = dataclasses.replace(usual, workspace=make, reruns=0)
    yield target
    target.story.services = usual


@pytest.fixture(scope="session")
def told() -> Iterator[list[tuple[str, str, str]]]:
    """What each attack got; printed at the end, to be seen with `pytest -s`."""
    rows: list[tuple[str, str, str]] = []
    yield rows
    for row in rows:
        print(f"| {' | '.join(row)} |")  # noqa: T201 - that is what it is for
