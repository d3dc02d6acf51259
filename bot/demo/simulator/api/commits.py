"""Commits and comparisons."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator import diffs
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.repositories import commit_named
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.git import GitError
from bot.demo.simulator.records import Json, Pull, Repository
from bot.demo.simulator.shapes.commits import commit as shape
from bot.demo.simulator.shapes.commits import diff_entry
from bot.demo.simulator.shapes.pulls import pull as pull_shape
from bot.demo.simulator.shapes.repositories import repository_url

blueprint = Blueprint("commits", __name__)
_COMMITS = "/repos/<owner>/<repo>/commits"
_MOST_FILES = 300


@endpoint(blueprint, "GET", _COMMITS, "repos/list-commits", "contents:read")
def list_commits(call: Call) -> Reply:
    """Commits from a branch or SHA backwards."""
    repository = call.repository
    start = commit_named(repository, call.query.get("sha", repository.default_branch))
    path = [f":(literal){call.query['path']}"] if "path" in call.query else []
    revisions = repository.git.log(start, *(["--", *path] if path else []))
    return call.paged(revisions, lambda one: shape(call.world.site, repository, one))


@endpoint(blueprint, "GET", f"{_COMMITS}/<path:ref>", "repos/get-commit", "contents:read")
def get_commit(call: Call, ref: str) -> Json | Reply:
    """One commit with what it changed, as JSON, diff, patch or only its SHA."""
    repository = call.repository
    sha = commit_named(repository, ref)
    if call.media == "sha":
        return Reply(sha.encode(), media="application/vnd.github.sha")
    revision = repository.git.revision(sha)
    parent = revision.parents[0] if revision.parents else empty_tree(repository)
    if call.media in ("diff", "patch"):
        return Reply(diffs.patch(repository.git, parent, sha), media="text/plain")
    files = diffs.compare(repository.git, parent, sha)
    added, removed = sum(f.additions for f in files), sum(f.deletions for f in files)
    return {
        **shape(call.world.site, repository, revision),
        "stats": {"additions": added, "deletions": removed, "total": added + removed},
        "files": [diff_entry(call.world.site, repository, file, sha) for file in files],
    }


def empty_tree(repository: Repository) -> str:
    """The tree without files, against which first commits are compared."""
    return repository.git.line("hash-object", "-t", "tree", "-w", "--stdin")


@endpoint(
    blueprint,
    "GET",
    f"{_COMMITS}/<sha>/pulls",
    "repos/list-pull-requests-associated-with-commit",
    "pull_requests:read",
)
def list_pulls(call: Call, sha: str) -> Reply:
    """The pulls that have a commit: merged ones if it is on the default branch, else open ones.

    For the head of a fork nothing is found here, as GitHub's search does not look into forks.
    """
    found = [
        pull for pull in call.repository.pulls if _has(pull, commit_named(call.repository, sha))
    ]
    return call.paged(found, lambda one: pull_shape(call.world.site, one))


def _has(pull: Pull, sha: str) -> bool:
    tree = pull.repository.git
    if sha == pull.merge_commit and pull.merged_at is not None:
        return True
    if pull.from_fork and pull.merged_at is None:
        return sha == pull.head_commit
    inside = tree.is_ancestor(sha, pull.head_commit)
    return inside and not tree.is_ancestor(sha, pull.base_commit)


@endpoint(
    blueprint,
    "GET",
    "/repos/<owner>/<repo>/compare/<path:basehead>",
    "repos/compare-commits",
    "contents:read",
)
def compare(call: Call, basehead: str) -> Json | Reply:
    """What the head has since it left the base."""
    repository, tree = call.repository, call.repository.git
    base_name, dots, head_name = basehead.partition("...")
    if not dots:
        raise not_found()
    base, head = _found(repository, base_name), _found(repository, head_name)
    try:
        start = tree.merge_base(base, head)
    except GitError:
        raise RefusedError(
            404, f"No common ancestor between {base_name} and {head_name}."
        ) from None
    if call.media in ("diff", "patch"):
        return Reply(diffs.patch(tree, start, head), media="text/plain")
    ahead = tree.log("--reverse", f"{base}..{head}")
    behind = int(tree.line("rev-list", "--count", f"{head}..{base}"))
    return _comparison(call, basehead, (base, start, head), len(ahead), behind)


def _comparison(
    call: Call, basehead: str, commits: tuple[str, str, str], ahead: int, behind: int
) -> Json:
    repository, site, tree = call.repository, call.world.site, call.repository.git
    base, start, head = commits
    states = {(False, False): "identical", (True, False): "ahead", (False, True): "behind"}
    files = diffs.compare(tree, start, head)[:_MOST_FILES]
    web = f"{site.web}/{repository.full_name}/compare/{basehead}"
    return {
        "url": f"{repository_url(site, repository)}/compare/{basehead}",
        "html_url": web,
        "permalink_url": web,
        "diff_url": f"{web}.diff",
        "patch_url": f"{web}.patch",
        "base_commit": shape(site, repository, tree.revision(base)),
        "merge_base_commit": shape(site, repository, tree.revision(start)),
        "status": states.get((ahead > 0, behind > 0), "diverged"),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": [
            shape(site, repository, one) for one in tree.log("--reverse", f"{base}..{head}")
        ],
        "files": [diff_entry(site, repository, file, head) for file in files],
    }


def _found(repository: Repository, name: str) -> str:
    try:
        return repository.git.resolve(name.rpartition(":")[2])
    except GitError:
        raise not_found() from None
