"""Fetching from a GitHub that fails, into mirrors in which somebody was killed."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from bot.demo.simulator import Faults
from bot.errors import GitHubError
from bot.jobs.mirrors import Mirrors
from tests.demo.simulator.conftest import receiver, studio
from tests.queue.test_run import job

__all__ = ["job", "receiver", "studio"]

MAIN = "refs/heads/main"


@pytest.fixture
def repository(job):
    return job.services.github.repository(job.place.installation, job.place.full_name)


def commit_of(mirror, name):
    told = subprocess.check_output(["git", "-C", str(mirror), "rev-parse", name], text=True)
    return told.strip()


def test_fetching_is_tried_again(job, repository, tmp_path):
    waits: list[float] = []
    mirrors = Mirrors(tmp_path / "mirrors", sleep=waits.append)
    repository.clone_source()  # the token comes before the faults
    job.github.use(Faults(errors=0.45, seed=3))
    mirror = mirrors.fetch(repository, "alice/calc", [MAIN])
    job.github.use(Faults())
    assert waits
    assert waits == [1.0, 2.0, 4.0][: len(waits)]
    head = job.github.repository("alice/calc").git.resolve("main")
    assert commit_of(mirror, "refs/fixgate/heads/main") == head


def test_it_is_not_tried_for_ever_nor_for_what_is_not_there(job, repository, tmp_path):
    waits: list[float] = []
    mirrors = Mirrors(tmp_path / "mirrors", sleep=waits.append)
    with pytest.raises(GitHubError, match="remote ref"):
        mirrors.fetch(repository, "alice/calc", ["refs/heads/gone"])
    assert waits == []

    def fail_from_now_on():
        job.github.use(Faults(errors=1.0))
        return given

    given = repository.clone_source()
    repository.clone_source = fail_from_now_on
    with pytest.raises(GitHubError, match="cannot be fetched"):
        mirrors.fetch(repository, "alice/calc", [MAIN])
    assert waits == [1.0, 2.0, 4.0]


def test_the_locks_of_a_killed_git_keep_nobody_out(job, repository, tmp_path):
    mirrors = Mirrors(tmp_path / "mirrors", sleep=lambda _: None)
    mirror = mirrors.fetch(repository, "alice/calc", [MAIN])
    job.studio.alice.push("alice/calc", "main", {"more.txt": "more"})
    lock = mirror / "refs" / "fixgate" / "heads" / "main.lock"
    lock.touch()
    with pytest.raises(GitHubError, match="remove the file"):
        mirrors.fetch(repository, "alice/calc", [MAIN])
    assert lock.exists(), "it may be somebody's who lives"
    long_ago = time.time() - 60
    os.utime(lock, (long_ago, long_ago))
    mirrors.fetch(repository, "alice/calc", [MAIN])
    head = job.github.repository("alice/calc").git.resolve("main")
    assert commit_of(mirror, "refs/fixgate/heads/main") == head
