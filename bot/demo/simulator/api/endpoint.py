"""How a request is taken: who calls, what they may do, what they sent, and what they get."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

import flask

from bot.demo.simulator import description
from bot.demo.simulator.api.authentication import Caller, authenticate
from bot.demo.simulator.api.body import Field, parse
from bot.demo.simulator.errors import (
    RefusedError,
    forbidden,
    invalid_request,
    not_found,
)
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.world import World, current

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class ApiResponse:
    """An answer; `data` of None is no content."""

    data: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ApiCall:
    """A request that was let in."""

    world: World
    caller: Caller
    query: Mapping[str, str]
    body: Json
    address: str
    _repository: Repository | None

    @property
    def repository(self) -> Repository:
        """The repository in the path. Raises RefusedError (404)."""
        if self._repository is None:
            raise not_found()
        return self._repository

    def paged(
        self,
        records: Sequence[_Record],
        shape: Callable[[_Record], Json],
        key: str = "",
        **more: object,
    ) -> ApiResponse:
        """One page of a list, with links to the others; under a key with the total if named."""
        size = min(max(_number(self.query.get("per_page"), 30), 1), 100)
        page = max(_number(self.query.get("page"), 1), 1)
        last = max(-(-len(records) // size), 1)
        data: Any = [shape(one) for one in records[(page - 1) * size : page * size]]
        if key:
            data = {"total_count": len(records), key: data, **more}
        return ApiResponse(data, headers=self._links(page, last))

    def _links(self, page: int, last: int) -> dict[str, str]:
        pages = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = [("prev", "first") if page > 1 else (), ("next", "last") if page < last else ()]
        links = [self.link(name, page=pages[name]) for group in wanted for name in group]
        return {"Link": ", ".join(links)} if links else {}

    def link(self, relation: str, **parameters: object) -> str:
        """One entry of a Link header."""
        query = urlencode({**self.query, **parameters})
        return f'<{self.address}?{query}>; rel="{relation}"'


def _number(value: str | None, default: int) -> int:
    return int(value) if value is not None and value.isdecimal() else default


_MEDIA = re.compile(r"application/vnd\.github(?:\.v3)?(?:\.[a-z-]+)?(?:\+json)?$")
_ACCEPTED = ("*/*", "application/json", "application/*")
_JSON = "application/json; charset=utf-8"
_LEVELS = {"read": 0, "write": 1, "admin": 2}


@dataclass(frozen=True)
class Requirements:
    """What a request to one endpoint must bring.

    `needs` is "anyone", "app" (a JSON web token), "installation" (a token), "person" (a token for
    somebody), "client" (an App's client secret), or permissions any of which will do
    ("issues:write").
    """

    operation: str
    needs: tuple[str, ...]
    fields: Mapping[str, Field]
    public: bool
    content: bool
    any_body: bool
    bare: str
    rule: Callable[[Json], None]

    def admit(self, caller: Caller, repository: Repository | None) -> None:
        """Raises RefusedError (401, 403, 404) where the caller may not come in."""
        if self.needs == ("anyone",):
            return
        if self.needs[0] in ("app", "installation", "person", "client"):
            self._admit_caller(caller)
        elif repository is not None:
            self._admit_to(caller, repository)

    def _admit_caller(self, caller: Caller) -> None:
        kind = self.needs[0]
        if kind == "app":
            if caller.app is None or caller.token is not None:
                raise RefusedError(401, "A JSON web token could not be decoded")
        elif kind == "installation":
            if caller.token is None:
                raise RefusedError(
                    401, "Requires authentication" if not caller.app else "Bad credentials"
                )
        elif getattr(caller, kind) is None:
            raise RefusedError(401, "Requires authentication")

    def _admit_to(self, caller: Caller, repository: Repository) -> None:
        open_to_all = self.public and not repository.private
        if caller.token is None:
            if open_to_all and caller.app is None:
                return
            raise not_found() if caller.app is None else RefusedError(401, "Bad credentials")
        if not caller.token.reaches(repository):
            if open_to_all:
                return
            raise not_found() if repository.private else forbidden()
        if not open_to_all and not any(_granted(caller, need) for need in self.needs):
            raise forbidden()


def _granted(caller: Caller, need: str) -> bool:
    name, _, level = need.partition(":")
    held = caller.token.permissions.get(name) if caller.token else None
    return held is not None and _LEVELS[held] >= _LEVELS[level]


_Handler = TypeVar("_Handler", bound=Callable[..., object])


def endpoint(
    blueprint: flask.Blueprint,
    method: str,
    path: str,
    operation: str,
    needs: str,
    *,
    fields: Mapping[str, Field] | None = None,
    public: bool | None = None,
    status: int = 200,
    content: bool = False,
    any_body: bool = False,
    bare: str = "",
    rule: Callable[[Json], None] = lambda _: None,
) -> Callable[[_Handler], _Handler]:
    """Register a handler for one operation of GitHub's description ("issues/create").

    `needs` lists alternatives with "|". The handler gets the ApiCall and the path's other
    parameters, runs under the world's lock, and returns JSON, an ApiResponse, or None. `public`:
    whether everyone may do it on a public repository (by default: read it). `content`: whether it
    counts as creating content. `any_body`: the handler parses the body itself. `bare`: the key that
    a list stands for. `rule`: raises RefusedError for bodies that are wrong in a way that fields
    cannot show.
    """
    readable = method == "GET" if public is None else public
    requirements = Requirements(
        operation, tuple(needs.split("|")), fields or {}, readable, content, any_body, bare, rule
    )

    def register(handler: _Handler) -> _Handler:
        @functools.wraps(handler)
        def serve(**parameters: Any) -> flask.Response:
            return _serve(requirements, handler, status, parameters)

        serve.operation = operation  # type: ignore[attr-defined]
        blueprint.add_url_rule(path, f"{method} {path}", serve, methods=[method])
        return handler

    return register


def _serve(
    requirements: Requirements,
    handler: Callable[..., object],
    status: int,
    parameters: dict[str, Any],
) -> flask.Response:
    state = current()
    world, meter = state.world, state.meter
    request = flask.request
    with world.lock:
        caller = authenticate(world, request.headers.get("Authorization"))
    read = request.method == "GET"
    resource = "graphql" if requirements.operation == "graphql" else "core"
    points = 1 if read or resource == "graphql" else 5
    with meter.concurrent(caller.name):
        flask.g.window = meter.count(caller.name, resource, points, content=requirements.content)
        with world.lock:
            call = _admitted(requirements, world, caller, parameters)
            result = handler(call, **parameters)
            reply = result if isinstance(result, ApiResponse) else ApiResponse(result, status)
            return _answer(requirements, reply)


def _admitted(
    requirements: Requirements, world: World, caller: Caller, parameters: dict[str, Any]
) -> ApiCall:
    request = flask.request
    repository = None
    if "owner" in parameters:
        name = f"{parameters.pop('owner')}/{parameters.pop('repo')}"
        repository = world.repository(name)
    requirements.admit(caller, repository)
    _check_accept(request.headers.get("Accept", "*/*"))
    return ApiCall(
        world=world,
        caller=caller,
        query=_query(requirements),
        body=_body(requirements),
        address=request.base_url,
        _repository=repository,
    )


def _query(requirements: Requirements) -> dict[str, str]:
    given = dict(flask.request.args)
    described = description.operation(requirements.operation)
    if described is not None:
        for key, value in given.items():
            if complaint := described.complaint_about_query(key, value):
                raise invalid_request(f"{key}: {complaint}")
    return given


def _body(requirements: Requirements) -> Json:
    if flask.request.method == "GET":
        return {}
    data = flask.request.get_data()
    body = (
        {"data": data}
        if requirements.any_body
        else parse(data, requirements.fields, requirements.bare)
    )
    requirements.rule(body)
    described = description.operation(requirements.operation)
    complaint = described.complaint_about_body(data) if described and data.strip() else ""
    if complaint:
        raise invalid_request(complaint)
    return body


def _check_accept(accept: str) -> None:
    kinds = [part.split(";")[0].strip() for part in accept.split(",")]
    if not any(kind in _ACCEPTED or _MEDIA.match(kind) for kind in kinds):
        message = f"Unsupported 'Accept' header: '{accept}'. Must accept 'application/json'."
        raise RefusedError(415, message)


def _answer(requirements: Requirements, reply: ApiResponse) -> flask.Response:
    headers = {**reply.headers, "X-Accepted-GitHub-Permissions": _accepted(requirements)}
    if reply.data is None:
        return flask.Response(status=204 if reply.status == 200 else reply.status, headers=headers)
    data = json.dumps(reply.data).encode()
    described = description.operation(requirements.operation)
    if described is not None and reply.status < 300:
        described.check_answer(data)
    return flask.Response(data, reply.status, headers, content_type=_JSON)


def _accepted(requirements: Requirements) -> str:
    return "; ".join(need.replace(":", "=") for need in requirements.needs if ":" in need)


def refusal(error: RefusedError) -> flask.Response:
    """The answer to a request that is refused."""
    data = json.dumps(error.body())
    return flask.Response(data, error.status, error.headers, content_type=_JSON)
