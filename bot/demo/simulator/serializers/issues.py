"""Issues and pulls, comments, labels and reactions."""

from __future__ import annotations

from bot.demo.simulator import diffs
from bot.demo.simulator.records import (
    Account,
    Comment,
    Issue,
    Json,
    Label,
    Pull,
    Reaction,
    Repository,
)
from bot.demo.simulator.serializers.accounts import (
    account,
    association,
    integration,
    node_id,
    optional,
    stamp,
)
from bot.demo.simulator.serializers.repositories import repository, repository_url
from bot.demo.simulator.settings import Site

EMOJI = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def issue_url(site: Site, issue: Issue) -> str:
    """Where the API has an issue (or the issue's side of a pull)."""
    return f"{repository_url(site, issue.repository)}/issues/{issue.number}"


def page_url(site: Site, issue: Issue) -> str:
    """Where people read an issue or a pull."""
    kind = "issues" if issue.pull is None else "pull"
    return f"{site.web}/{issue.repository.full_name}/{kind}/{issue.number}"


def label(site: Site, at: Repository, of: Label) -> Json:
    """A label."""
    return {
        "id": of.id,
        "node_id": node_id("LA", of.id),
        "url": f"{repository_url(site, at)}/labels/{of.name}",
        "name": of.name,
        "color": of.color,
        "default": False,
        "description": of.description,
        "archived_at": None,
        "archived_by": None,
    }


def reactions(url: str, given: list[Reaction]) -> Json:
    """How often each reaction was given."""
    counts = {emoji: sum(one.content == emoji for one in given) for emoji in EMOJI}
    return {"url": f"{url}/reactions", "total_count": len(given), **counts}


def reaction(site: Site, of: Reaction) -> Json:
    """One reaction."""
    return {
        "id": of.id,
        "node_id": node_id("REA", of.id),
        "user": account(site, of.author),
        "content": of.content,
        "created_at": stamp(of.created_at),
    }


def issue(site: Site, of: Issue) -> Json:
    """An issue, or the issue's side of a pull."""
    url = issue_url(site, of)
    return {
        "id": of.id,
        "node_id": node_id("I", of.id),
        "url": url,
        "repository_url": repository_url(site, of.repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": page_url(site, of),
        "number": of.number,
        "state": of.state,
        "state_reason": of.state_reason,
        "title": of.title,
        "body": of.body,
        "user": account(site, of.author),
        "author_association": association(of.repository, of.author),
        "labels": [label(site, of.repository, one) for one in of.labels],
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "locked": False,
        "active_lock_reason": None,
        "comments": len(of.comments),
        "reactions": reactions(url, of.reactions),
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.updated_at),
        "closed_at": stamp(of.closed_at),
        "performed_via_github_app": None,
        **_pull_links(site, of),
    }


def closed_issue(site: Site, of: Issue) -> Json:
    """An issue when it is asked for alone."""
    return {**issue(site, of), "closed_by": optional(site, of.closed_by)}


def comment(site: Site, on: Issue, of: Comment) -> Json:
    """A comment."""
    url = f"{repository_url(site, on.repository)}/issues/comments/{of.id}"
    return {
        "id": of.id,
        "node_id": node_id("IC", of.id),
        "url": url,
        "html_url": f"{page_url(site, on)}#issuecomment-{of.id}",
        "issue_url": issue_url(site, on),
        "user": account(site, of.author),
        "author_association": association(on.repository, of.author),
        "body": of.body,
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.updated_at),
        "reactions": reactions(url, of.reactions),
        "performed_via_github_app": integration(site, of.app) if of.app else None,
    }


def _pull_links(site: Site, of: Issue) -> Json:
    if of.pull is None:
        return {}
    page = page_url(site, of)
    links = {
        "url": f"{repository_url(site, of.repository)}/pulls/{of.number}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "merged_at": stamp(of.pull.merged_at),
    }
    return {"pull_request": links, "draft": of.pull.draft}


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
