"""Issues, comments, labels and reactions."""

from __future__ import annotations

from bot.demo.simulator.records import Comment, Issue, Json, Label, Reaction, Repository
from bot.demo.simulator.serializers.accounts import account, association, node_id, optional, stamp
from bot.demo.simulator.serializers.apps import integration
from bot.demo.simulator.serializers.repositories import repository_url
from bot.demo.simulator.site import Site

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
        "assignee": optional(site, of.assignees[0]) if of.assignees else None,
        "assignees": [account(site, one) for one in of.assignees],
        "milestone": None,
        "locked": False,
        "active_lock_reason": None,
        "comments": len(of.comments),
        "reactions": reactions(url, of.reactions),
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.updated_at),
        "closed_at": stamp(of.closed_at),
        "performed_via_github_app": integration(site, of.app) if of.app else None,
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
