"""Pull requests: opened, moved by pushes, edited, closed, merged."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.demo.simulator.errors import RefusedError, invalid
from bot.demo.simulator.events import emit
from bot.demo.simulator.git import MergeConflictError
from bot.demo.simulator.operations.issues import check_text, keep_issue, reword, set_state
from bot.demo.simulator.records import Account, Issue, Json, Pull, Repository
from bot.demo.simulator.serializers.issues import event_pull
from bot.demo.simulator.world import World

_CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+"
    r"(?:(?P<repository>[\w.-]+/[\w.-]+))?#(?P<number>\d+)\b",
    re.IGNORECASE,
)


def open_pull(
    world: World,
    repository: Repository,
    author: Account,
    title: str,
    body: str | None,
    *,
    head: tuple[Repository, str],
    base: str,
    draft: bool = False,
) -> Pull:
    """A new pull of a branch, here or in a fork. Raises RefusedError."""
    check_text(title, body, "PullRequest")
    source, branch = head
    _check_branches(repository, source, branch, base)
    issue = keep_issue(world, repository, author, title, body)
    made = Pull(
        id=world.new_id(),
        issue=issue,
        base_branch=base,
        base_commit=repository.git.branches()[base],
        head_repository=source,
        head_owner=source.owner,
        head_branch=branch,
        head_commit=source.git.branches()[branch],
        draft=draft,
    )
    issue.pull = made
    take_head(world, made)
    announce(world, made, "opened", author)
    return made


def _check_branches(repository: Repository, source: Repository, branch: str, base: str) -> None:
    tree = repository.git
    if base not in tree.branches():
        raise invalid("PullRequest", "base", "invalid")
    if branch not in source.git.branches():
        raise invalid("PullRequest", "head", "invalid")
    for pull in repository.pulls:
        where = (pull.head_repository, pull.head_branch, pull.base_branch)
        if pull.issue.state == "open" and where == (source, branch, base):
            problem = f"A pull request already exists for {source.owner.login}:{branch}."
            raise invalid("PullRequest", "base", "custom", problem)
    head = source.git.branches()[branch]
    if tree.has(head) and tree.is_ancestor(head, tree.branches()[base]):
        problem = f"No commits between {base} and {branch}"
        raise invalid("PullRequest", "base", "custom", problem)


def take_head(world: World, pull: Pull) -> None:
    """Bring refs/pull/N/head and refs/pull/N/merge up to what head and base are now."""
    tree = pull.repository.git
    number = pull.issue.number
    if pull.head_repository is not None:
        source = f"refs/heads/{pull.head_branch}"
        tree.fetch(pull.head_repository.git, source, f"refs/pull/{number}/head")
        pull.head_commit = tree.resolve(f"refs/pull/{number}/head")
        pull.base_commit = tree.branches()[pull.base_branch]
    try_merge(world, pull)


def try_merge(world: World, pull: Pull) -> None:
    """Merge head and base for trial; merge_commit is None where they conflict."""
    tree = pull.repository.git
    name = f"refs/pull/{pull.issue.number}/merge"
    base = tree.branches()[pull.base_branch]
    message = f"Merge {pull.head_commit} into {base}"
    signature = world.signature(pull.repository.owner)
    try:
        pull.merge_commit = tree.merge(base, pull.head_commit, message, signature)
        tree.update(name, pull.merge_commit)
    except MergeConflictError:
        pull.merge_commit = None
        if name in tree.refs(name):
            tree.update(name, None)


def synchronize(world: World, pull: Pull, before: str, actor: Account) -> None:
    """The head branch has moved."""
    take_head(world, pull)
    pull.issue.updated_at = world.now()
    announce(world, pull, "synchronize", actor, before=before, after=pull.head_commit)


def edit_pull(
    world: World,
    pull: Pull,
    actor: Account,
    *,
    title: str | None = None,
    body: str | None = None,
    base: str | None = None,
) -> None:
    """Another title, text or base branch. Raises RefusedError."""
    check_text(title, body, "PullRequest")
    issue = pull.issue
    changes = reword(issue, title, body)
    if base is not None and base != pull.base_branch:
        changes["base"] = {"ref": {"from": pull.base_branch}, "sha": {"from": pull.base_commit}}
        _move(world, pull, base)
    if changes:
        issue.updated_at = world.now()
        announce(world, pull, "edited", actor, changes=changes)


def _move(world: World, pull: Pull, base: str) -> None:
    if base not in pull.repository.git.branches():
        raise invalid("PullRequest", "base", "invalid")
    pull.base_branch = base
    take_head(world, pull)


def set_pull_state(world: World, pull: Pull, state: str, actor: Account) -> None:
    """Close without merging, or reopen. Raises RefusedError (422) where it was merged."""
    issue = pull.issue
    if issue.state == state:
        return
    if pull.merged_at is not None:
        raise invalid("PullRequest", "state", "custom", "state cannot be changed.")
    closed = state == "closed"
    issue.state, issue.updated_at = state, world.now()
    issue.closed_at, issue.closed_by = (world.now(), actor) if closed else (None, None)
    if not closed:
        take_head(world, pull)
    announce(world, pull, "closed" if closed else "reopened", actor)


def set_draft(world: World, pull: Pull, draft: bool, actor: Account) -> None:
    """Ready for review, or not yet."""
    if pull.draft != draft:
        pull.draft = draft
        announce(world, pull, "converted_to_draft" if draft else "ready_for_review", actor)


def finish_merge(world: World, pull: Pull, commit: str, actor: Account) -> None:
    """The pull's changes are on its base branch now: close it, and the issues that it closes."""
    issue, now = pull.issue, world.now()
    pull.merge_commit, pull.merged_at, pull.merged_by = commit, now, actor
    issue.state, issue.closed_at, issue.closed_by, issue.updated_at = "closed", now, actor, now
    pull.draft = False
    announce(world, pull, "closed", actor)
    for closed in closing_issues(world, pull):
        set_state(world, closed, "closed", "completed", actor)


def check_mergeable(pull: Pull) -> None:
    """Raises RefusedError (405) where a pull cannot be merged."""
    if pull.issue.state != "open" or pull.draft or pull.merge_commit is None:
        raise RefusedError(405, "Pull Request is not mergeable")


def closing_issues(world: World, pull: Pull) -> list[Issue]:
    """The issues that a pull closes when it is merged: named by keyword, or linked by hand.

    Keywords count only where the base is the default branch, see
    https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue.
    """
    named = list(_named(world, pull))
    return list(dict.fromkeys([*named, *pull.linked]))


def _named(world: World, pull: Pull) -> Iterator[Issue]:
    if pull.base_branch != pull.repository.default_branch:
        return
    for match in _CLOSES.finditer(pull.issue.body or ""):
        name = match["repository"] or pull.repository.full_name
        repository = world.repositories.get(name.lower())
        found = repository.issues.get(int(match["number"])) if repository else None
        if found is not None and found.pull is None:
            yield found


def announce(world: World, pull: Pull, action: str, actor: Account, **more: object) -> None:
    """The event of a pull."""
    content: Json = {
        "number": pull.issue.number,
        "pull_request": event_pull(world.site, pull),
        **more,
    }
    emit(world, "pull_request", action, pull.repository, actor, content)
