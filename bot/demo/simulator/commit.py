"""What git is to commit, and in whose name, as it takes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Signature:
    """Who made a commit and when (ISO 8601)."""

    name: str
    email: str
    date: str


def signature_variables(author: Signature) -> dict[str, str]:
    """The environment by which git learns who commits."""
    return {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": author.date,
        "GIT_COMMITTER_NAME": author.name,
        "GIT_COMMITTER_EMAIL": author.email,
        "GIT_COMMITTER_DATE": author.date,
    }


def stream(
    name: str,
    files: Mapping[str, str | bytes | None],
    message: str,
    author: Signature,
    start: str | None,
    executable: Collection[str] = (),
) -> bytes:
    """A commit on a branch, for `git fast-import` (https://git-scm.com/docs/git-fast-import).

    `executable` are the paths of files that are.
    """
    text = message.encode()
    rows = [f"reset {name}\n".encode()] if start is None else []
    rows += [
        f"commit {name}\n".encode(),
        f"committer {author.name} <{author.email}> {_raw_date(author.date)}\n".encode(),
        f"data {len(text)}\n".encode() + text + b"\n",
        *([f"from {start}\n".encode()] if start else []),
        *(_change(path, content, path in executable) for path, content in files.items()),
    ]
    return b"".join(rows)


def _raw_date(date: str) -> str:
    return f"{int(datetime.fromisoformat(date).timestamp())} +0000"


def _change(path: str, content: str | bytes | None, executable: bool) -> bytes:
    if content is None:
        return f"D {path}\n".encode()
    data = content.encode() if isinstance(content, str) else content
    mode = "100755" if executable else "100644"
    return f"M {mode} inline {path}\ndata {len(data)}\n".encode() + data + b"\n"
