"""Bare git repositories, worked on by git itself."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from evaluator import CheckoutError
from evaluator.checkout.git import git, shielded


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


_FORMAT = "%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x00%x01"
_CONFIGURATION = """
[http]
\treceivepack = true
[receive]
\thideRefs = refs/pull
[uploadpack]
\tallowAnySHA1InWant = true
[gc]
\tauto = 0
"""
EXECUTABLE = "100755"
"""Git's mode of files that are."""
NOTHING = "0" * 40
"""Stands for "no commit" in events."""
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's name of a tree without files, which every repository has."""


class GitError(Exception):
    """Git refused; the message is git's own."""


class MergeConflictError(GitError):
    """Two commits cannot be merged."""


@dataclass(frozen=True)
class CommitInfo:
    """A commit."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


@dataclass(frozen=True)
class Entry:
    """A name in a tree; `size` is in bytes and None for directories."""

    mode: str
    kind: str
    sha: str
    path: str
    size: int | None


@dataclass(frozen=True)
class Tree:
    """A bare repository."""

    path: Path

    def run(
        self,
        *arguments: str,
        data: bytes = b"",
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> bytes:
        """What a git command prints. Raises GitError."""
        command = ["--git-dir", str(self.path), *arguments]
        try:
            return git(command, {**shielded(), **variables}, given=data)
        except CheckoutError as error:
            raise GitError(f"git {arguments[0]} in {self.path.name}: {error}") from error

    def line(
        self,
        *arguments: str,
        data: bytes = b"",
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """The single line that a git command prints. Raises GitError."""
        return self.run(*arguments, data=data, variables=variables).decode().strip()

    def refs(self, prefix: str = "refs/") -> dict[str, str]:
        """The commit of each full reference name below a prefix."""
        output = self.run("for-each-ref", "--format=%(refname) %(objectname)", prefix).decode()
        return dict(row.split(" ") for row in output.splitlines())

    def branches(self) -> dict[str, str]:
        """The commit of each branch."""
        start = "refs/heads/"
        return {name.removeprefix(start): sha for name, sha in self.refs(start).items()}

    def resolve(self, name: str) -> str:
        """The commit that a branch, tag, reference or (short) SHA names. Raises GitError."""
        return self.line(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )

    def has(self, sha: str, kind: str = "commit") -> bool:
        """Whether there is such an object."""
        try:
            self.run("cat-file", "-e", f"{sha}^{{{kind}}}")
        except GitError:
            return False
        return True

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether one commit is in the history of another."""
        try:
            self.run("merge-base", "--is-ancestor", older, newer)
        except GitError:
            return False
        return True

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor. Raises GitError."""
        return self.line("merge-base", one, other)

    def log(self, *arguments: str) -> list[CommitInfo]:
        """Commits as `git log` selects and orders them. Raises GitError."""
        output = self.run("log", f"--format={_FORMAT}", *arguments, "--").decode(errors="replace")
        return [_revision(row) for row in output.split("\0\x01\n") if row]

    def revision(self, name: str) -> CommitInfo:
        """One commit. Raises GitError."""
        return self.log("-1", self.resolve(name))[0]

    def blob(self, sha: str) -> bytes:
        """The bytes of a file's object. Raises GitError."""
        return self.run("cat-file", "blob", sha)

    def entries(self, treeish: str, path: str = "", *, recursive: bool = False) -> list[Entry]:
        """What lies in a directory, or the one entry of a file. Raises GitError."""
        options = ["-r", "-t"] if recursive else []
        scope = [path] if path else []
        output = self.run("ls-tree", "-l", "-z", *options, treeish, "--", *scope).decode()
        return [_entry(row) for row in output.split("\0") if row]

    def update(self, name: str, sha: str | None) -> None:
        """Point a full reference name at a commit, or delete it. Raises GitError."""
        self.run("update-ref", *(["-d", name] if sha is None else [name, sha]))

    def fetch(self, other: Tree, source: str, target: str) -> None:
        """Take a reference with its history from another repository. Raises GitError."""
        self.run("fetch", "--quiet", "--no-tags", str(other.path), f"+{source}:{target}")

    def commit(
        self,
        branch: str,
        files: Mapping[str, str | bytes | None],
        message: str,
        author: Signature,
        *,
        parent: str | None = None,
    ) -> str:
        """Write files (None: delete) on top of a branch or of a given parent. Raises GitError.

        Files that are executable stay so.
        """
        name = f"refs/heads/{branch}"
        start = parent or self.refs(name).get(name)
        standing = self.entries(start, recursive=True) if start else []
        executable = {entry.path for entry in standing if entry.mode == EXECUTABLE}
        data = stream(name, files, message, author, start, executable)
        self.run("fast-import", "--quiet", "--force", data=data)
        return self.resolve(name)

    def merge(self, base: str, head: str, message: str, author: Signature) -> str:
        """A merge commit of two commits, on no branch. Raises MergeConflictError and GitError."""
        with tempfile.TemporaryDirectory(prefix="merge-") as directory:
            work = str(Path(directory, "tree"))
            self.run("worktree", "add", "--quiet", "--detach", work, base)
            try:
                return _merged(work, head, message, author)
            finally:
                self.run("worktree", "remove", "--force", work)


def create(path: Path, default_branch: str) -> Tree:
    """A new bare repository that git's HTTP backend may serve."""
    path.mkdir(parents=True)
    tree = Tree(path)
    tree.run("init", "--quiet", "--bare", f"--initial-branch={default_branch}", str(path))
    _configure(tree)
    return tree


def clone(source: Tree, path: Path) -> Tree:
    """A bare copy of the branches of a repository."""
    path.parent.mkdir(parents=True, exist_ok=True)
    source.run("clone", "--quiet", "--bare", "--no-tags", str(source.path), str(path))
    tree = Tree(path)
    _configure(tree)
    return tree


def _configure(tree: Tree) -> None:
    with Path(tree.path, "config").open("a") as config:
        config.write(_CONFIGURATION)


def _merged(work: str, head: str, message: str, author: Signature) -> str:
    there = Tree(Path(work, ".git"))
    variables = {**signature_variables(author), "GIT_WORK_TREE": work}
    try:
        there.run("merge", "--quiet", "--no-ff", "-m", message, head, variables=variables)
    except GitError as error:
        raise MergeConflictError(str(error)) from error
    return there.line("rev-parse", "HEAD")


def _revision(row: str) -> CommitInfo:
    sha, tree, parents, an, ae, ad, cn, ce, cd, message = row.split("\0")
    return CommitInfo(
        sha=sha,
        tree=tree,
        parents=tuple(parents.split()),
        author=Signature(an, ae, ad),
        committer=Signature(cn, ce, cd),
        message=message.rstrip("\n"),
    )


def _entry(row: str) -> Entry:
    head, path = row.split("\t", 1)
    mode, kind, sha, size = head.split()
    return Entry(mode, kind, sha, path, None if size == "-" else int(size))
