"""Git over HTTP, by git's own backend (https://git-scm.com/docs/git-http-backend).

Tokens come as the password of any user name (`x-access-token` by custom). Public repositories may
be read by everyone; a private one looks as if it were not there to a token that does not reach it.
"""

from __future__ import annotations

import flask
from flask import Blueprint
from werkzeug.datastructures import Headers

from bot.demo.simulator.api.authentication import Caller, authenticate
from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Repository
from bot.demo.simulator.state import current
from bot.demo.simulator.world import World
from evaluator.checkout.git import git, shielded

blueprint = Blueprint("git-http", __name__)
_RECEIVE = "git-receive-pack"
_UPLOAD = "git-upload-pack"
_ANSWERED = frozenset(range(256))
"""Exit codes of a backend that has answered: refusals are answers, too."""


@blueprint.get("/<owner>/<name>.git/info/refs")
def info_refs(owner: str, name: str) -> flask.Response:
    """Which references there are."""
    service = flask.request.args.get("service", "")
    if service not in (_UPLOAD, _RECEIVE):
        return _text("Please upgrade your git client.", 403)
    return _serve(f"{owner}/{name}", "/info/refs", service)


@blueprint.post("/<owner>/<name>.git/<service>")
def exchange(owner: str, name: str, service: str) -> flask.Response:
    """Objects, in or out."""
    if service not in (_UPLOAD, _RECEIVE):
        return _text("Not Found", 404)
    return _serve(f"{owner}/{name}", f"/{service}", service)


def _serve(full_name: str, path: str, service: str) -> flask.Response:
    world = current().world
    try:
        with world.lock:
            caller = authenticate(world, flask.request.headers.get("Authorization"))
            repository = _admitted(world, caller, full_name, service)
    except RefusedError as error:
        return _text(error.message, error.status)
    data = flask.request.get_data()
    if service != _RECEIVE or flask.request.method == "GET":
        return _backend(world, repository, path, data)
    with world.lock:
        before = repository.git.branches()
        answer = _backend(world, repository, path, data)
        after_push(world, repository, before, caller.actor)
        return answer


def _admitted(world: World, caller: Caller, full_name: str, service: str) -> Repository:
    repository = world.repositories.get(full_name.lower())
    write = service == _RECEIVE
    if caller.token is None:
        if repository is not None and not repository.private and not write:
            return repository
        raise RefusedError(401, "Authentication required")
    if repository is None:
        raise RefusedError(404, "Repository not found.")
    held = caller.token.permissions.get("contents") if caller.token.reaches(repository) else None
    if not write and (held is not None or not repository.private):
        return repository
    if held != "write":
        hidden = repository.private and held is None
        problem = "Repository not found." if hidden else "Write access to repository not granted."
        raise RefusedError(404 if hidden else 403, problem)
    return repository


def _backend(world: World, repository: Repository, path: str, data: bytes) -> flask.Response:
    request = flask.request
    place = repository.git.path.relative_to(world.root).as_posix()
    variables = {
        "GIT_PROJECT_ROOT": str(world.root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{place}{path}",
        "REQUEST_METHOD": request.method,
        "QUERY_STRING": request.query_string.decode(),
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(data)),
        "REMOTE_ADDR": request.remote_addr or "",
        **_headers(request.headers),
    }
    answer = git(["http-backend"], {**shielded(), **variables}, given=data, fine=_ANSWERED)
    head, _, body = answer.partition(b"\r\n\r\n")
    headers = dict(row.split(": ", 1) for row in head.decode().split("\r\n") if ": " in row)
    status = int(headers.pop("Status", "200").split()[0])
    return flask.Response(body, status if head else 500, headers)


def _headers(given: Headers) -> dict[str, str]:
    names = {"Content-Encoding": "HTTP_CONTENT_ENCODING", "Git-Protocol": "GIT_PROTOCOL"}
    return {variable: given[name] for name, variable in names.items() if name in given}


def _text(text: str, status: int) -> flask.Response:
    headers = {"WWW-Authenticate": 'Basic realm="GitHub"'} if status == 401 else {}
    return flask.Response(text, status, headers, content_type="text/plain; charset=utf-8")
