"""GraphQL: which issues a pull closes, the one thing that the REST API does not show.

The schema holds the part of GitHub's that the App asks for; everything else is refused as GitHub
refuses unknown fields. See https://docs.github.com/graphql.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import graphql
from flask import Blueprint

from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.errors import RefusedError, forbidden
from bot.demo.simulator.operations.pulls import closing_issues
from bot.demo.simulator.records import Issue, Json, Pull, Repository
from bot.demo.simulator.serializers.accounts import node_id
from bot.demo.simulator.world import pull_of

blueprint = Blueprint("graphql", __name__)


@functools.cache
def _schema() -> graphql.GraphQLSchema:
    return graphql.build_schema(Path(__file__).with_name("schema.graphql").read_text())


@endpoint(blueprint, "POST", "/graphql", "graphql", "installation", any_body=True)
def serve(call: ApiCall) -> ApiResponse:
    """Answer a query; what is wrong with it stands in `errors`, with a status of 200."""
    request = _request(call.body["data"])
    result = graphql.graphql_sync(
        _schema(),
        request["query"],
        root_value=Root(call),
        variable_values=request.get("variables"),
        operation_name=request.get("operationName"),
    )
    answer: Json = {} if result.data is None else {"data": result.data}
    if result.errors:
        answer["errors"] = [_error(one) for one in result.errors]
    return ApiResponse(answer)


def _request(data: bytes) -> Json:
    try:
        request = json.loads(data)
    except ValueError:
        raise RefusedError(400, "Problems parsing JSON") from None
    if not isinstance(request, dict) or not isinstance(request.get("query"), str):
        raise RefusedError(400, "A query attribute must be specified and must be a string.")
    if not isinstance(request.get("variables") or {}, dict):
        raise RefusedError(400, "Variables must be an object.")
    return request


def _error(error: graphql.GraphQLError) -> Json:
    formatted = error.formatted
    original = error.original_error
    kind = original.kind if isinstance(original, QueryError) else None
    return {**({"type": kind} if kind else {}), **formatted}


_LARGEST_PAGE = 100


class QueryError(graphql.GraphQLError):
    """An error with GitHub's `type`."""

    def __init__(self, kind: str, message: str) -> None:
        """The type and the message."""
        super().__init__(message)
        self.kind = kind


class Root:
    """Resolves the fields of Query."""

    def __init__(self, call: ApiCall) -> None:
        """For one request."""
        self._call = call

    def repository(self, _: Any, owner: str, name: str) -> Json:
        """The repository, if the token reaches it or everyone does."""
        world, token = self._call.world, self._call.caller.token
        found = world.repositories.get(f"{owner}/{name}".lower())
        if found is None or (found.private and (token is None or not token.reaches(found))):
            problem = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise QueryError("NOT_FOUND", problem)
        return _repository(self._call, found)


def _repository(call: ApiCall, of: Repository) -> Json:
    def pull_request(_: Any, number: int) -> Json:
        if of.private and not _holds(call, of, "pull_requests"):
            raise QueryError("FORBIDDEN", forbidden().message)
        return _pull(call, _numbered(of, number))

    return {
        "id": node_id("R", of.id),
        "nameWithOwner": of.full_name,
        "pullRequest": pull_request,
    }


def _holds(call: ApiCall, at: Repository, permission: str) -> bool:
    token = call.caller.token
    return token is not None and token.reaches(at) and permission in token.permissions


def _numbered(at: Repository, number: int) -> Pull:
    try:
        return pull_of(at, number)
    except RefusedError:
        problem = f"Could not resolve to a PullRequest with the number of {number}."
        raise QueryError("NOT_FOUND", problem) from None


def _pull(call: ApiCall, of: Pull) -> Json:
    def references(_: Any, first: int | None = None, after: str | None = None) -> Json:
        found = closing_issues(call.world, of)
        nodes = [_issue(call, one) for one in found if _is_seen(call, one.repository)]
        return _connection(nodes, first, after)

    return {"number": of.issue.number, "closingIssuesReferences": references}


def _is_seen(call: ApiCall, at: Repository) -> bool:
    return not at.private or _holds(call, at, "issues")


def _issue(call: ApiCall, of: Issue) -> Json:
    return {"number": of.number, "repository": lambda _: _repository(call, of.repository)}


def _connection(items: list[Json], first: int | None, after: str | None) -> Json:
    """One page; cursors are positions. GitHub insists on a size, 100 at most."""
    name = "closingIssuesReferences"
    if first is None:
        problem = (
            "You must provide a `first` or `last` value to properly paginate the "
            f"`{name}` connection."
        )
        raise QueryError("MISSING_PAGINATION_BOUNDARIES", problem)
    if not 1 <= first <= _LARGEST_PAGE:
        problem = (
            f"Requesting {first} records on the `{name}` connection exceeds the `first` limit of "
            f"{_LARGEST_PAGE} records."
        )
        raise QueryError("EXCESSIVE_PAGINATION", problem)
    start = int(after) if after else 0
    end = min(start + first, len(items))
    return {
        "nodes": items[start:end],
        "pageInfo": {"hasNextPage": end < len(items), "endCursor": str(end)},
    }
