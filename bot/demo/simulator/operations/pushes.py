"""What follows when branches move, by pushes, by merging, and by the merge queue."""

from __future__ import annotations

from bot.demo.simulator import diffs
from bot.demo.simulator.events import emit
from bot.demo.simulator.git import NOTHING, CommitInfo, GitError
from bot.demo.simulator.operations.checks import request_suites
from bot.demo.simulator.operations.pulls import (
    check_mergeable,
    finish_merge,
    synchronize,
    try_merge,
)
from bot.demo.simulator.records import Account, Json, MergeGroup, Pull, Repository
from bot.demo.simulator.serializers.repositories import pushed_commit, simple_commit
from bot.demo.simulator.world import World

_MOST_COMMITS = 2048


def after_push(
    world: World, repository: Repository, before: dict[str, str], actor: Account
) -> None:
    """Announce every branch that is not where it was. `before` is what `branches()` gave then."""
    after = repository.git.branches()
    for branch in sorted(before.keys() | after.keys()):
        old, new = before.get(branch, NOTHING), after.get(branch, NOTHING)
        if old != new:
            _moved(world, repository, branch, old, new, actor)


def _moved(
    world: World, repository: Repository, branch: str, old: str, new: str, actor: Account
) -> None:
    repository.pushed_at = world.now()
    emit(world, "push", None, repository, actor, _push(world, repository, branch, old, new, actor))
    if new == NOTHING:
        return
    request_suites(world, repository, branch, old, new, actor)
    for pull in _open_pulls(world):
        if (pull.head_repository, pull.head_branch) == (repository, branch):
            synchronize(world, pull, old, actor)
        elif (pull.repository, pull.base_branch) == (repository, branch):
            try_merge(world, pull)


def _open_pulls(world: World) -> list[Pull]:
    found = [pull for each in world.repositories.values() for pull in each.pulls]
    return [pull for pull in found if pull.issue.state == "open"]


def _push(
    world: World, repository: Repository, branch: str, old: str, new: str, actor: Account
) -> Json:
    tree, site = repository.git, world.site
    commits = [] if new == NOTHING else _new_commits(repository, old, new)
    shown = [_commit(world, repository, revision) for revision in commits]
    head = None if new == NOTHING else _commit(world, repository, tree.revision(new))
    forced = NOTHING not in (old, new) and not tree.is_ancestor(old, new)
    return {
        "ref": f"refs/heads/{branch}",
        "before": old,
        "after": new,
        "base_ref": None,
        "created": old == NOTHING,
        "deleted": new == NOTHING,
        "forced": forced,
        "compare": f"{site.web}/{repository.full_name}/compare/{old[:12]}...{new[:12]}",
        "commits": shown,
        "head_commit": head,
        "pusher": {"name": actor.login, "email": world.signature(actor).email},
    }


def _new_commits(repository: Repository, old: str, new: str) -> list[CommitInfo]:
    hidden = [] if old == NOTHING else [f"^{old}"]
    most = f"--max-count={1 if old == NOTHING else _MOST_COMMITS}"
    return repository.git.log("--reverse", most, new, *hidden)


def _commit(world: World, repository: Repository, revision: CommitInfo) -> Json:
    tree = repository.git
    parent = revision.parents[0] if revision.parents else _empty_tree(repository)
    try:
        files = diffs.compare(tree, parent, revision.sha)
    except GitError:
        files = []
    return pushed_commit(world.site, repository, revision, files)


def _empty_tree(repository: Repository) -> str:
    return repository.git.line("hash-object", "-t", "tree", "-w", "--stdin")


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
