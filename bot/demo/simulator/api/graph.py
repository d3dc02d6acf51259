"""What is behind the fields of the GraphQL schema."""

from __future__ import annotations

from typing import Any

import graphql

from bot.demo.simulator.accounts import Account
from bot.demo.simulator.api.call import Call
from bot.demo.simulator.errors import forbidden
from bot.demo.simulator.operations.pulls import closing_issues
from bot.demo.simulator.records import Issue, Json, Pull, Repository
from bot.demo.simulator.shapes.accounts import account, node_id
from bot.demo.simulator.shapes.issues import page_url


class QueryError(graphql.GraphQLError):
    """An error with GitHub's `type`."""

    def __init__(self, kind: str, message: str) -> None:
        """The type and the message."""
        super().__init__(message)
        self.kind = kind


class Root:
    """Resolves the fields of Query."""

    def __init__(self, call: Call) -> None:
        """For one request."""
        self._call = call

    def repository(self, _: Any, owner: str, name: str, **__: object) -> Json:
        """The repository, if the token reaches it or everyone does."""
        world, token = self._call.world, self._call.caller.token
        found = world.repositories.get(f"{owner}/{name}".lower())
        if found is None or (found.private and (token is None or not token.reaches(found))):
            told = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise QueryError("NOT_FOUND", told)
        return _repository(self._call, found)

    def rateLimit(self, _: Any, **__: object) -> Json:  # noqa: N802 - GitHub's name
        """What is left to the caller."""
        counts = self._call.meter.window(self._call.caller.name, "graphql").counts()
        return {**counts, "cost": 1}


def _require(call: Call, at: Repository, permission: str) -> None:
    token = call.caller.token
    allowed = token is not None and token.reaches(at) and permission in token.permissions
    if at.private and not allowed:
        raise QueryError("FORBIDDEN", forbidden().message)


def _repository(call: Call, of: Repository) -> Json:
    def issue(_: Any, number: int) -> Json:
        _require(call, of, "issues")
        return _issue(call, _numbered(of, number, pull=False))

    def pull_request(_: Any, number: int) -> Json:
        _require(call, of, "pull_requests")
        found = _numbered(of, number, pull=True).pull
        assert found is not None
        return _pull(call, found)

    return {
        "id": node_id("R", of.id),
        "databaseId": of.id,
        "name": of.name,
        "nameWithOwner": of.full_name,
        "url": f"{call.world.site.web}/{of.full_name}",
        "isPrivate": of.private,
        "owner": _actor(call, of.owner),
        "issue": issue,
        "pullRequest": pull_request,
    }


def _numbered(at: Repository, number: int, *, pull: bool) -> Issue:
    found = at.issues.get(number)
    if found is None or (found.pull is not None) != pull:
        kind = "a PullRequest" if pull else "an Issue"
        told = f"Could not resolve to {kind} with the number of {number}."
        raise QueryError("NOT_FOUND", told)
    return found


def _actor(call: Call, who: Account) -> Json:
    plain = account(call.world.site, who)
    return {
        "id": plain["node_id"],
        "login": who.login.removesuffix("[bot]"),
        "url": plain["html_url"],
        "avatarUrl": plain["avatar_url"],
    }


def _shared(call: Call, of: Issue) -> Json:
    return {
        "number": of.number,
        "title": of.title,
        "body": of.body or "",
        "url": page_url(call.world.site, of),
        "author": _actor(call, of.author),
        "repository": lambda _: _repository(call, of.repository),
    }


def _issue(call: Call, of: Issue) -> Json:
    labels = [{"id": node_id("LA", one.id), "name": one.name} for one in of.labels]
    return {
        **_shared(call, of),
        "id": node_id("I", of.id),
        "databaseId": of.id,
        "state": of.state.upper(),
        "labels": lambda _, **window: _connection(labels, "labels", window),
    }


def _pull(call: Call, of: Pull) -> Json:
    def references(_: Any, userLinkedOnly: bool = False, **window: Any) -> Json:  # noqa: N803
        linked = of.linked if userLinkedOnly else closing_issues(call.world, of)
        seen = [one for one in linked if _visible(call, one.repository)]
        shown = [_issue(call, one) for one in seen]
        return _connection(shown, "closingIssuesReferences", window)

    return {
        **_shared(call, of.issue),
        "id": node_id("PR", of.id),
        "databaseId": of.id,
        "state": "MERGED" if of.merged_at else of.issue.state.upper(),
        "isDraft": of.draft,
        "headRefOid": of.head_commit,
        "baseRefName": of.base_branch,
        "closingIssuesReferences": references,
    }


def _visible(call: Call, at: Repository) -> bool:
    token = call.caller.token
    reached = token is not None and token.reaches(at) and "issues" in token.permissions
    return reached or not at.private


def _connection(items: list[Json], name: str, window: dict[str, Any]) -> Json:
    """One page; cursors are positions. GitHub insists on `first` or `last`, 100 at most."""
    first, last = window.get("first"), window.get("last")
    size = first if first is not None else last
    if size is None:
        told = (
            "You must provide a `first` or `last` value to properly paginate the "
            f"`{name}` connection."
        )
        raise QueryError("MISSING_PAGINATION_BOUNDARIES", told)
    if not 1 <= size <= 100:
        told = (
            f"Requesting {size} records on the `{name}` connection exceeds the `first` limit of "
            "100 records."
        )
        raise QueryError("EXCESSIVE_PAGINATION", told)
    start = int(window["after"]) if window.get("after") else 0
    end = int(window["before"]) - 1 if window.get("before") else len(items)
    span = range(start, end)[:size] if first is not None else range(start, end)[-size:]
    return {
        "edges": [{"cursor": str(at + 1), "node": items[at]} for at in span],
        "nodes": [items[at] for at in span],
        "totalCount": len(items),
        "pageInfo": {
            "hasNextPage": bool(span) and span[-1] + 1 < len(items),
            "hasPreviousPage": bool(span) and span[0] > 0,
            "startCursor": str(span[0] + 1) if span else None,
            "endCursor": str(span[-1] + 1) if span else None,
        },
    }
