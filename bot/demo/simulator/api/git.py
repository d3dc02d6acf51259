"""Git as the API has it: references, commits, trees and blobs; and git's own protocol over HTTP.

Tokens come as the password of any user name (`x-access-token` by custom). Public repositories may
be read by everyone; a private one looks as if it were not there to a token that does not reach it.
"""

from __future__ import annotations

import base64
import binascii
import tempfile
from pathlib import Path

import flask
from flask import Blueprint
from werkzeug.datastructures import Headers

from bot.demo.simulator.api.authentication import Caller, authenticate
from bot.demo.simulator.api.body import SHA, Field, listing, record, text
from bot.demo.simulator.api.endpoint import ApiCall, endpoint
from bot.demo.simulator.errors import RefusedError, invalid_request, not_found
from bot.demo.simulator.git import Entry, GitError, signature_variables
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import node_id
from bot.demo.simulator.serializers.repositories import git_commit, repository_url
from bot.demo.simulator.world import World, current
from evaluator.checkout.git import git, shielded

blueprint = Blueprint("git", __name__)
_GIT = "/repos/<owner>/<repo>/git"
_PERSON = record({"name": text(required=True), "email": text(required=True), "date": text()})


@endpoint(blueprint, "GET", f"{_GIT}/ref/<path:ref>", "git/get-ref", "contents:read")
def get_ref(call: ApiCall, ref: str) -> Json:
    """One reference ("heads/main")."""
    return _ref(call, f"refs/{ref}", _refs(call.repository, ref))


@endpoint(
    blueprint,
    "PATCH",
    f"{_GIT}/refs/<path:ref>",
    "git/update-ref",
    "contents:write",
    fields={"sha": text(required=True, pattern=SHA), "force": Field(bool)},
)
def update_ref(call: ApiCall, ref: str) -> Json:
    """Move a branch."""
    name, sha = f"refs/{ref}", call.body["sha"]
    tree = call.repository.git
    old = tree.refs(name).get(name)
    if old is None:
        raise RefusedError(422, "Reference does not exist")
    if tree.has(sha) and not call.body.get("force") and not tree.is_ancestor(old, sha):
        raise RefusedError(422, "Update is not a fast forward")
    return _moved(call, name, sha)


def _refs(repository: Repository, ref: str) -> dict[str, str]:
    name = f"refs/{ref}"
    found = repository.git.refs(name)
    if name not in found:
        raise not_found()
    return found


def _moved(call: ApiCall, name: str, sha: str) -> Json:
    tree = call.repository.git
    if not tree.has(sha):
        raise RefusedError(422, "Object does not exist")
    if name.startswith("refs/pull/"):
        raise RefusedError(422, "Reference is read-only")
    before = tree.branches()
    tree.update(name, sha)
    after_push(call.world, call.repository, before, call.caller.actor)
    return _ref(call, name, {name: sha})


def _ref(call: ApiCall, name: str, found: dict[str, str]) -> Json:
    url = f"{repository_url(call.world.site, call.repository)}/git"
    sha = found[name]
    place = {"type": "commit", "sha": sha, "url": f"{url}/commits/{sha}"}
    return {"ref": name, "node_id": node_id("REF", name), "url": f"{url}/{name}", "object": place}


@endpoint(blueprint, "GET", f"{_GIT}/commits/<sha>", "git/get-commit", "contents:read")
def get_commit(call: ApiCall, sha: str) -> Json:
    """A commit."""
    if not call.repository.git.has(sha):
        raise not_found()
    return git_commit(call.world.site, call.repository, call.repository.git.revision(sha))


@endpoint(
    blueprint,
    "POST",
    f"{_GIT}/commits",
    "git/create-commit",
    "contents:write",
    fields={
        "message": text(required=True),
        "tree": text(required=True, pattern=SHA),
        "parents": listing(text(pattern=SHA)),
        "author": _PERSON,
        "committer": _PERSON,
        "signature": text(),
    },
    status=201,
)
def create_commit(call: ApiCall) -> Json:
    """A commit that no branch has yet."""
    body, tree = call.body, call.repository.git
    parents = body.get("parents", [])
    if not tree.has(body["tree"], "tree"):
        raise RefusedError(422, "Tree SHA does not exist")
    if not all(tree.has(one) for one in parents):
        raise RefusedError(422, "Parent SHA does not exist or is not a commit object")
    variables = signature_variables(call.world.signature(call.caller.actor))
    for role in ("author", "committer"):
        given = body.get(role, {})
        names = {f"GIT_{role.upper()}_{key.upper()}": value for key, value in given.items()}
        variables |= names
    over = [word for parent in parents for word in ("-p", parent)]
    message = body["message"].encode()
    sha = tree.line("commit-tree", body["tree"], *over, data=message, variables=variables)
    return git_commit(call.world.site, call.repository, tree.revision(sha))


_MODES = ("100644", "100755", "040000", "160000", "120000")


@endpoint(blueprint, "GET", f"{_GIT}/trees/<path:name>", "git/get-tree", "contents:read")
def get_tree(call: ApiCall, name: str) -> Json:
    """What a tree (or a commit's tree) holds; below it too with `recursive`."""
    tree = call.repository.git
    try:
        sha = tree.line("rev-parse", "--verify", "--quiet", f"{name}^{{tree}}")
    except GitError:
        raise not_found() from None
    return _tree(call, sha, tree.entries(sha, recursive="recursive" in call.query))


@endpoint(
    blueprint,
    "POST",
    f"{_GIT}/trees",
    "git/create-tree",
    "contents:write",
    fields={
        "base_tree": text(),
        "tree": listing(
            record(
                {
                    "path": text(required=True),
                    "mode": text(required=True, choices=_MODES),
                    "type": text(choices=("blob", "tree", "commit")),
                    "sha": text(nullable=True),
                    "content": text(),
                }
            ),
            required=True,
        ),
    },
    status=201,
)
def create_tree(call: ApiCall) -> Json:
    """A tree from a base and changed entries (a SHA of null deletes)."""
    tree, base = call.repository.git, call.body.get("base_tree")
    rows = [_index_row(call.repository, entry) for entry in call.body["tree"]]
    with tempfile.TemporaryDirectory(prefix="index-") as directory:
        index = {"GIT_INDEX_FILE": str(Path(directory, "index"))}
        if base is not None:
            _read(call.repository, base, index)
        tree.run(
            "update-index", "--add", "--index-info", data="".join(rows).encode(), variables=index
        )
        sha = tree.line("write-tree", variables=index)
    return _tree(call, sha, tree.entries(sha))


def _read(repository: Repository, base: str, index: dict[str, str]) -> None:
    if not repository.git.has(base, "tree"):
        raise RefusedError(404, "Base tree SHA does not exist")
    repository.git.run("read-tree", base, variables=index)


def _index_row(repository: Repository, entry: Json) -> str:
    if ("sha" in entry) == ("content" in entry):
        raise RefusedError(422, 'Must supply either "sha" or "content" for a tree entry')
    path = entry["path"]
    if path.startswith("/") or ".." in path.split("/") or "\n" in path or "\t" in path:
        raise RefusedError(422, "tree.path contains a malformed path component")
    if "content" in entry:
        data = entry["content"].encode()
        sha = repository.git.line("hash-object", "-w", "--stdin", data=data)
    elif entry["sha"] is None:
        return f"0 {'0' * 40}\t{path}\n"
    else:
        sha = entry["sha"]
        if not repository.git.has(sha, "blob"):
            raise RefusedError(422, f"tree.sha {sha} is not a valid blob")
    return f"{entry['mode']} {sha}\t{path}\n"


def _tree(call: ApiCall, sha: str, entries: list[Entry]) -> Json:
    url = f"{repository_url(call.world.site, call.repository)}/git"
    places = {"blob": "blobs", "tree": "trees", "commit": "commits"}
    listed = []
    for one in entries:
        size = {} if one.size is None else {"size": one.size}
        address = f"{url}/{places[one.kind]}/{one.sha}"
        mode = {"path": one.path, "mode": one.mode, "type": one.kind}
        listed.append({**mode, "sha": one.sha, "url": address, **size})
    return {"sha": sha, "url": f"{url}/trees/{sha}", "tree": listed, "truncated": False}


@endpoint(blueprint, "GET", f"{_GIT}/blobs/<sha>", "git/get-blob", "contents:read")
def get_blob(call: ApiCall, sha: str) -> Json:
    """A file's bytes."""
    if not call.repository.git.has(sha, "blob"):
        raise not_found()
    data = call.repository.git.blob(sha)
    encoded = base64.encodebytes(data).decode()
    return {**_blob(call, sha), "size": len(data), "encoding": "base64", "content": encoded}


@endpoint(
    blueprint,
    "POST",
    f"{_GIT}/blobs",
    "git/create-blob",
    "contents:write",
    fields={"content": text(required=True), "encoding": text(choices=("utf-8", "base64"))},
    status=201,
)
def create_blob(call: ApiCall) -> Json:
    """Keep a file's bytes."""
    content = call.body["content"]
    try:
        encoded = call.body.get("encoding") == "base64"
        data = base64.b64decode(content, validate=True) if encoded else content.encode()
    except binascii.Error:
        raise invalid_request("content is not valid Base64") from None
    sha = call.repository.git.line("hash-object", "-w", "--stdin", data=data)
    return {key: value for key, value in _blob(call, sha).items() if key in ("sha", "url")}


def _blob(call: ApiCall, sha: str) -> Json:
    url = f"{repository_url(call.world.site, call.repository)}/git/blobs/{sha}"
    return {"sha": sha, "node_id": node_id("B", sha), "url": url}


transport = Blueprint("git-http", __name__)
_RECEIVE = "git-receive-pack"
_UPLOAD = "git-upload-pack"
_ANSWERED = frozenset(range(256))
"""Exit codes of a backend that has answered: refusals are answers, too."""


@transport.get("/<owner>/<name>.git/info/refs")
def info_refs(owner: str, name: str) -> flask.Response:
    """Which references there are."""
    service = flask.request.args.get("service", "")
    if service not in (_UPLOAD, _RECEIVE):
        return _text("Please upgrade your git client.", 403)
    return _serve(f"{owner}/{name}", "/info/refs", service)


@transport.post("/<owner>/<name>.git/<service>")
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
