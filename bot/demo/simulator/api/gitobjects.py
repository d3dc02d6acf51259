"""The git database: trees and blobs."""

from __future__ import annotations

import base64
import binascii
import tempfile
from pathlib import Path

from flask import Blueprint

from bot.demo.simulator.api.body import listing, record, text
from bot.demo.simulator.api.call import ApiCall
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, invalid_request, not_found
from bot.demo.simulator.git import Entry, GitError
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import node_id
from bot.demo.simulator.serializers.repositories import repository_url

blueprint = Blueprint("git-objects", __name__)
_GIT = "/repos/<owner>/<repo>/git"
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
