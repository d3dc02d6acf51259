from __future__ import annotations

import pytest

from bot.demo.simulator.errors import RefusedError
from tests.demo.simulator.conftest import Studio

BASE = "def add(a, b):\n    return a - b\n"


def test_the_life_of_a_pull(studio: Studio) -> None:
    issue = studio.bob.open_issue("alice/calc", "add is wrong")
    number = studio.pull(body=f"Fixes #{issue}")
    pull = studio.repo().get_pull(number)
    assert (pull.mergeable, pull.commits, pull.additions, pull.deletions) == (True, 1, 1, 1)
    before = pull.head.sha
    after = studio.bob.push("alice/calc", "fix", {"new.py": "x = 1\n", "docs/guide.md": None})
    pull = studio.repo().get_pull(number)
    assert pull.head.sha == after
    assert (pull.commits, pull.changed_files) == (2, 3)
    merged = studio.alice.merge("alice/calc", number)
    repository = studio.github.repository("alice/calc")
    assert repository.git.resolve("main") == merged
    assert repository.issues[issue].state == "closed"
    studio.github.settle()
    moved = studio.receiver.named("pull_request", "synchronize")[0].payload
    assert (moved["before"], moved["after"]) == (before, after)
    closed = studio.receiver.named("pull_request", "closed")[0].payload["pull_request"]
    assert (closed["merged"], closed["merge_commit_sha"]) == (True, merged)
    opened = studio.receiver.named("pull_request", "opened")[0].payload["pull_request"]
    assert (opened["mergeable"], opened["merge_commit_sha"]) == (None, None)


def test_a_pull_from_a_fork(studio: Studio) -> None:
    studio.github.grant("alice/calc", "eve", "read")
    fork = studio.eve.fork("alice/calc")
    head = studio.eve.push(fork, "idea", {"calc.py": "def add(a, b):\n    return b + a\n"})
    number = studio.eve.open_pull("alice/calc", "idea", "Idea", fork=fork)
    pull = studio.repo().get_pull(number)
    assert (pull.head.repo.full_name, pull.head.label) == ("eve/calc", "eve:idea")
    assert pull.head.repo.fork
    base = studio.github.repository("alice/calc")
    assert base.git.resolve(f"refs/pull/{number}/head") == head
    again = studio.eve.push(fork, "idea", {"calc.py": BASE, "more.py": "\n"})
    assert base.git.resolve(f"refs/pull/{number}/head") == again
    assert [(one.number, one.head.sha) for one in studio.repo().get_pulls()] == [(number, again)]
    studio.github.settle()
    pushes = [hook.payload["ref"] for hook in studio.receiver.named("push")]
    assert pushes == []


def test_a_conflict(studio: Studio) -> None:
    number = studio.pull()
    studio.alice.push("alice/calc", "main", {"calc.py": "def add(*numbers):\n    return 7\n"})
    pull = studio.repo().get_pull(number)
    assert (pull.mergeable, pull.mergeable_state) == (False, "dirty")
    refs = studio.github.repository("alice/calc").git.refs("refs/pull")
    assert sorted(refs) == [f"refs/pull/{number}/head"]
    with pytest.raises(RefusedError, match="not mergeable"):
        studio.alice.merge("alice/calc", number)


def test_events_of_a_draft_that_moves_to_another_base(studio: Studio) -> None:
    studio.bob.push("alice/calc", "next", {"other.py": "\n"})
    studio.bob.push("alice/calc", "fix", {"calc.py": BASE + "\n"})
    number = studio.bob.open_pull("alice/calc", "fix", "Fix", draft=True)
    studio.bob.set_ready("alice/calc", number)
    studio.bob.edit_pull("alice/calc", number, base="next", body="For the next release")
    studio.bob.close_pull("alice/calc", number)
    studio.bob.reopen_pull("alice/calc", number)
    studio.github.settle()
    actions = [name for name in studio.receiver.names() if name.startswith("pull_request")]
    assert actions == [
        "pull_request.opened",
        "pull_request.ready_for_review",
        "pull_request.edited",
        "pull_request.closed",
        "pull_request.reopened",
    ]
    changes = studio.receiver.named("pull_request", "edited")[0].payload["changes"]
    assert changes["base"]["ref"] == {"from": "main"}
    assert changes["body"] == {"from": ""}


def test_nobody_opens_the_same_pull_twice(studio: Studio) -> None:
    studio.pull()
    with pytest.raises(RefusedError, match="Validation Failed") as refused:
        studio.bob.open_pull("alice/calc", "fix", "Fix again")
    assert "already exists" in refused.value.errors[0]["message"]  # type: ignore[index]
    with pytest.raises(RefusedError, match="Validation Failed"):
        studio.bob.open_pull("alice/calc", "main", "Nothing", base="fix")


def test_the_merge_queue(studio: Studio) -> None:
    number = studio.pull()
    head = studio.alice.enqueue("alice/calc", number)
    studio.github.settle()
    group = studio.receiver.named("merge_group", "checks_requested")[0].payload["merge_group"]
    assert group["head_sha"] == head
    assert group["head_ref"].startswith("refs/heads/gh-readonly-queue/main/pr-")
    run = studio.repo().create_check_run("fixgate", head, conclusion="success")
    assert run.conclusion == "success"
    studio.alice.leave_queue("alice/calc", number, "merged")
    repository = studio.github.repository("alice/calc")
    assert repository.git.resolve("main") == head
    assert sorted(repository.git.branches()) == ["fix", "main"]
    studio.github.settle()
    assert studio.receiver.named("merge_group", "destroyed")[0].payload["reason"] == "merged"
