"""Pulls."""

from __future__ import annotations

from bot.demo.simulator import diffs
from bot.demo.simulator.accounts import Account
from bot.demo.simulator.records import Json, Pull, Repository
from bot.demo.simulator.serializers.accounts import account, association, node_id, optional, stamp
from bot.demo.simulator.serializers.issues import issue_url, label, page_url
from bot.demo.simulator.serializers.repositories import repository, repository_url
from bot.demo.simulator.site import Site


def pull_url(site: Site, pull: Pull) -> str:
    """Where the API has a pull."""
    return f"{repository_url(site, pull.repository)}/pulls/{pull.issue.number}"


def pull(site: Site, of: Pull) -> Json:
    """A pull in a list."""
    issue = of.issue
    return {
        "id": of.id,
        "node_id": node_id("PR", of.id),
        "number": issue.number,
        "state": issue.state,
        "locked": False,
        "active_lock_reason": None,
        "title": issue.title,
        "body": issue.body,
        "user": account(site, issue.author),
        "author_association": association(of.repository, issue.author),
        "labels": [label(site, of.repository, one) for one in issue.labels],
        "milestone": None,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "draft": of.draft,
        "auto_merge": None,
        "merge_commit_sha": of.merge_commit,
        "created_at": stamp(issue.created_at),
        "updated_at": stamp(issue.updated_at),
        "closed_at": stamp(issue.closed_at),
        "merged_at": stamp(of.merged_at),
        "head": _side(site, of.head_repository, of.head_owner, of.head_branch, of.head_commit),
        "base": _side(site, of.repository, of.repository.owner, of.base_branch, of.base_commit),
        **_urls(site, of),
    }


def full_pull(site: Site, of: Pull) -> Json:
    """A pull asked for alone."""
    open_still = of.issue.state == "open"
    mergeable = of.merge_commit is not None if open_still else None
    clean = {True: "clean", False: "dirty", None: "unknown"}[mergeable]
    return {
        **pull(site, of),
        **_counts(of),
        "merged": of.merged_at is not None,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": clean,
        "merged_by": optional(site, of.merged_by),
        "maintainer_can_modify": of.from_fork and of.maintainer_can_modify,
    }


def event_pull(site: Site, of: Pull) -> Json:
    """A pull in an event: GitHub tries the merge only afterwards."""
    full = full_pull(site, of)
    if of.issue.state != "open":
        return full
    unknown = {"mergeable": None, "rebaseable": None, "mergeable_state": "unknown"}
    return {**full, **unknown, "merge_commit_sha": None}


def minimal_pull(site: Site, of: Pull) -> Json:
    """A pull as check runs name it."""
    return {
        "id": of.id,
        "number": of.issue.number,
        "url": pull_url(site, of),
        "head": _minimal_side(site, of.head_repository, of.head_branch, of.head_commit),
        "base": _minimal_side(site, of.repository, of.base_branch, of.base_commit),
    }


def _side(site: Site, at: Repository | None, owner: Account, branch: str, sha: str) -> Json:
    return {
        "label": f"{owner.login}:{branch}",
        "ref": branch,
        "sha": sha,
        "user": account(site, owner),
        "repo": None if at is None else repository(site, at),
    }


def _minimal_side(site: Site, at: Repository | None, branch: str, sha: str) -> Json:
    place = None
    if at is not None:
        place = {"id": at.id, "url": repository_url(site, at), "name": at.name}
    return {"ref": branch, "sha": sha, "repo": place}


def _counts(of: Pull) -> Json:
    tree = of.repository.git
    start = of.base_commit if of.merged_at else tree.merge_base(of.base_commit, of.head_commit)
    files = diffs.compare(tree, start, of.head_commit)
    commits = tree.line("rev-list", "--count", f"{start}..{of.head_commit}")
    return {
        "comments": len(of.issue.comments),
        "review_comments": 0,
        "commits": int(commits),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def _urls(site: Site, of: Pull) -> Json:
    url, page, issue = pull_url(site, of), page_url(site, of.issue), issue_url(site, of.issue)
    statuses = f"{repository_url(site, of.repository)}/statuses/{of.head_commit}"
    review = f"{repository_url(site, of.repository)}/pulls/comments{{/number}}"
    links = {
        "self": url,
        "html": page,
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": review,
        "commits": f"{url}/commits",
        "statuses": statuses,
    }
    addresses = {f"{name}_url": link for name, link in links.items() if name != "self"}
    return {
        "url": url,
        **addresses,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "_links": {name: {"href": link} for name, link in links.items()},
    }
