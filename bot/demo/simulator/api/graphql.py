"""GraphQL: which issues a pull closes, the one thing that the REST API does not tell.

The schema holds the part of GitHub's that the App asks for; everything else is refused as GitHub
refuses unknown fields. See https://docs.github.com/graphql.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import graphql
from flask import Blueprint

from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.graph import QueryError, Root
from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.records import Json

blueprint = Blueprint("graphql", __name__)


@functools.cache
def _schema() -> graphql.GraphQLSchema:
    schema = graphql.build_schema(Path(__file__).with_name("schema.graphql").read_text())
    actor = schema.get_type("Actor")
    assert isinstance(actor, graphql.GraphQLInterfaceType)
    actor.resolve_type = lambda *_: "User"
    return schema


@endpoint(blueprint, "POST", "/graphql", "graphql", "installation", any_body=True)
def serve(call: Call) -> Reply:
    """Answer a query; what is wrong with it is told in `errors`, with a status of 200."""
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
    return Reply(answer)


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
    told = error.formatted
    original = error.original_error
    kind = original.kind if isinstance(original, QueryError) else None
    return {**({"type": kind} if kind else {}), **told}
