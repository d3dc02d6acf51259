"""Merging, by hand and by the queue."""

from __future__ import annotations

from bot.demo.simulator.accounts import Account
from bot.demo.simulator.events import emit
from bot.demo.simulator.operations.pulls import check_mergeable, finish_merge
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Json, MergeGroup, Pull
from bot.demo.simulator.serializers.commits import simple_commit
from bot.demo.simulator.world import World


def merge(world: World, pull: Pull, actor: Account, message: str = "") -> str:
    """Merge a pull into its base. Raises RefusedError (405) where that cannot be."""
    check_mergeable(pull)
    tree = pull.repository.git
    before = tree.branches()
    label = f"{pull.head_owner.login}/{pull.head_branch}"
    text = message or f"Merge pull request #{pull.issue.number} from {label}"
    base = before[pull.base_branch]
    commit = tree.merge(base, pull.head_commit, text, world.signature(actor))
    tree.update(f"refs/heads/{pull.base_branch}", commit)
    finish_merge(world, pull, commit, actor)
    after_push(world, pull.repository, before, actor)
    return commit


def enqueue(world: World, pull: Pull, actor: Account) -> MergeGroup:
    """Put a pull into the merge queue, which asks for checks. Raises RefusedError (405)."""
    check_mergeable(pull)
    repository, tree = pull.repository, pull.repository.git
    before = tree.branches()
    base = before[pull.base_branch]
    text = f"Merge pull request #{pull.issue.number}"
    commit = tree.merge(base, pull.head_commit, text, world.signature(actor))
    branch = f"gh-readonly-queue/{pull.base_branch}/pr-{pull.issue.number}-{base}"
    tree.update(f"refs/heads/{branch}", commit)
    group = MergeGroup(pull.base_branch, base, branch, tree.revision(commit), pull)
    repository.groups.append(group)
    after_push(world, repository, before, actor)
    _tell(world, group, "checks_requested", actor)
    return group


def leave_queue(world: World, group: MergeGroup, reason: str, actor: Account) -> None:
    """The group is done: "merged" (its commit becomes the base), "dequeued" or "invalidated"."""
    repository, tree = group.pull.repository, group.pull.repository.git
    before = tree.branches()
    if reason == "merged":
        tree.update(f"refs/heads/{group.base_branch}", group.head_commit.sha)
        finish_merge(world, group.pull, group.head_commit.sha, actor)
    tree.update(f"refs/heads/{group.head_branch}", None)
    repository.groups.remove(group)
    _tell(world, group, "destroyed", actor, reason=reason)
    after_push(world, repository, before, actor)


def _tell(world: World, group: MergeGroup, action: str, actor: Account, **more: object) -> None:
    content: Json = {
        "merge_group": {
            "head_sha": group.head_commit.sha,
            "head_ref": f"refs/heads/{group.head_branch}",
            "base_sha": group.base_commit,
            "base_ref": f"refs/heads/{group.base_branch}",
            "head_commit": simple_commit(group.head_commit),
        },
        **more,
    }
    emit(world, "merge_group", action, group.pull.repository, actor, content)
