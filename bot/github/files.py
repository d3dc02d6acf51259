"""Files of a repository, read and committed without a clone.

https://docs.github.com/rest/git
"""

from __future__ import annotations

import base64
import binascii
import functools
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from bot.errors import ConflictError, NotFoundError
from bot.github.api import Api, InvalidError, Request
from bot.github.models import Many, Payload, PayloadError, Sha, checked

_PLAIN = "100644"
_EXECUTABLE = "100755"


class _Object(Payload):
    sha: Sha


class _Reference(Payload):
    object: _Object


class _Commit(Payload):
    message: str
    tree: _Object
    parents: Many[_Object]


class _Entry(Payload):
    path: str
    mode: str
    type: str
    sha: Sha


class _Tree(Payload):
    tree: Many[_Entry]


class _Blob(Payload):
    content: str


class _Content(Payload):
    """What is at a path; `content` is in Base64, and left out of large files."""

    type: str
    sha: Sha
    encoding: str = "base64"
    content: str = ""


def file(api: Api, root: str, path: str, reference: str) -> bytes | None:
    """A file at a branch, tag or commit; None where there is none, or a directory.

    Raises GitHubError.
    """
    try:
        answer = api.call(Request("GET", f"{root}/contents/{quote(path)}", {"ref": reference}))
    except NotFoundError:
        return None
    data = answer.data()
    if isinstance(data, list):
        return None
    found = checked(_Content, data)
    if found.type != "file":
        return None
    if found.encoding == "base64":
        return _decoded(found.content)
    # From 1 MB on the content is left out, and only the blob has it.
    return _decoded(api.get(_Blob, f"{root}/git/blobs/{found.sha}").content)


def commit_files(
    api: Api,
    root: str,
    branch: str,
    head_sha: str,
    files: Mapping[str, bytes | None],
    message: str,
) -> str:
    """Commit files (None: delete) onto a branch whose head is `head_sha`; the new commit's id.

    Done twice, the commit of the first time is returned. Files that are executable stay so, new
    ones are not.
    Raises ConflictError where the branch has moved, NotFoundError where it is gone, GitHubError.
    """
    tree = _tree(api, root, head_sha, files)
    tip = api.get(_Reference, f"{root}/git/ref/heads/{quote(branch)}").object.sha
    if tip != head_sha:
        if _is_done(api, root, tip, (head_sha, tree, message)):
            return tip
        raise _moved(branch, head_sha)
    new = {"message": message, "tree": tree, "parents": [head_sha]}
    commit = api.post(_Object, f"{root}/git/commits", new).sha
    _advance(api, root, branch, head_sha, commit)
    return commit


def _tree(api: Api, root: str, head_sha: str, files: Mapping[str, bytes | None]) -> str:
    base = api.get(_Commit, f"{root}/git/commits/{head_sha}").tree.sha
    executable = _executable(api, root, base, files)
    entries = [
        {
            "path": path,
            "mode": _EXECUTABLE if path in executable else _PLAIN,
            "type": "blob",
            "sha": None if content is None else _blob(api, root, content),
        }
        for path, content in files.items()
    ]
    return api.post(_Object, f"{root}/git/trees", {"base_tree": base, "tree": entries}).sha


def _executable(api: Api, root: str, tree: str, paths: Iterable[str]) -> set[str]:
    """Those of the paths that are executable files, looked up directory by directory.

    A whole tree in one answer would be cut short where it is large.
    """

    @functools.cache
    def listed(directory: str) -> Mapping[str, _Entry]:
        parent, _, name = directory.rpartition("/")
        known = listed(parent).get(name) if directory else None
        if directory and (known is None or known.type != "tree"):
            return {}
        sha = known.sha if known else tree
        return {one.path: one for one in api.get(_Tree, f"{root}/git/trees/{sha}").tree}

    def is_executable(path: str) -> bool:
        directory, _, name = path.rpartition("/")
        entry = listed(directory).get(name)
        return entry is not None and entry.mode == _EXECUTABLE

    return {path for path in paths if is_executable(path)}


def _blob(api: Api, root: str, content: bytes) -> str:
    body = {"content": base64.b64encode(content).decode(), "encoding": "base64"}
    return api.post(_Object, f"{root}/git/blobs", body).sha


def _is_done(api: Api, root: str, tip: str, wanted: tuple[str, str, str]) -> bool:
    found = api.get(_Commit, f"{root}/git/commits/{tip}")
    parents = [parent.sha for parent in found.parents]
    head_sha, tree, message = wanted
    return (found.tree.sha, found.message.strip(), parents) == (tree, message, [head_sha])


def _advance(api: Api, root: str, branch: str, head_sha: str, commit: str) -> None:
    """Without force, GitHub itself sees to it that nothing came in between."""
    body = {"sha": commit, "force": False}
    try:
        api.send("PATCH", f"{root}/git/refs/heads/{quote(branch)}", body)
    except InvalidError as error:
        raise _moved(branch, head_sha) from error


def _moved(branch: str, head_sha: str) -> ConflictError:
    return ConflictError(f"branch {branch} is not at {head_sha[:12]} any more")


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content.replace("\n", ""), validate=True)
    except binascii.Error:
        raise PayloadError("content", "should be in Base64") from None
