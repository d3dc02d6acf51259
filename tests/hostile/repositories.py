"""Writes the repositories of the corpus: one for a project with a branch for each head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.demo.simulator.git import Tree

from .corpus.head import BRANCH, Files, Head, Project
from .trees import Content, Executable, Hidden, Link, Submodule

_PERSON = b"committer Mallory <mallory@example.org> 1767700800 +0000\n"


def write_repository(place: Path, project: Project, heads: Iterable[Head]) -> Tree:
    """A bare repository of a project: its base on `main`, and each head on a branch of its name."""
    tree = _empty(place)
    commits = [_commit("refs/heads/main", project.files)]
    commits += [_commit(f"refs/heads/{h.name}", h.files, b"from refs/heads/main\n") for h in heads]
    _import(tree, commits)
    return tree


def write_alone(place: Path, head: Head) -> Tree:
    """A bare repository of a head's project, with nothing but this head, on the branch `BRANCH`."""
    tree = _empty(place)
    base = _commit("refs/heads/main", head.project.files)
    change = _commit(f"refs/heads/{BRANCH}", head.files, b"from refs/heads/main\n")
    _import(tree, [base, change])
    tree.run("unpack-objects", "-q", data=_packed(tree))
    return tree


def _packed(tree: Tree) -> bytes:
    """All objects as one pack, taken out of the repository: they are to be loose."""
    (pack,) = tree.path.glob("objects/pack/*.pack")
    content = pack.read_bytes()
    for part in pack.parent.glob("*"):
        part.unlink()
    return content


def _empty(place: Path) -> Tree:
    place.mkdir(parents=True)
    tree = Tree(place)
    tree.run("init", "--quiet", "--bare", "--initial-branch=main")
    return tree


def _import(tree: Tree, commits: Iterable[bytes]) -> None:
    # A pack whatever its size: fast-import writes few objects loose.
    limit = ("-c", "fastimport.unpackLimit=1")
    tree.run(*limit, "fast-import", "--quiet", "--force", data=b"".join(commits))


def _commit(name: str, files: Files, start: bytes = b"") -> bytes:
    rows = b"".join(_rows(files))
    return b"commit " + name.encode() + b"\n" + _PERSON + b"data 3\nFix\n" + start + rows + b"\n"


def _rows(files: Files) -> Iterator[bytes]:
    # Deletions first: a file may take the place of a directory, and the other way round.
    for path, content in sorted(files.items(), key=lambda entry: entry[1] is not None):
        yield _row(_quoted(path), content)


def _row(path: bytes, content: Content) -> bytes:
    match content:
        case None:
            return b"D " + path + b"\n"
        case Submodule(commit):
            return b"M 160000 " + commit.encode() + b" " + path + b"\n"
        case Link(target):
            return _inline(b"120000", path, target)
        case Executable(text):
            return _inline(b"100755", path, text)
        case str() | bytes():
            return _inline(b"100644", path, content)
        case Hidden():
            raise ValueError("fast-import writes nothing into .git")


def _inline(mode: bytes, path: bytes, content: str | bytes) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return b"M %s inline %s\ndata %d\n%s\n" % (mode, path, len(data), data)


def _quoted(path: str) -> bytes:
    """A path as a C string, which may hold any byte."""
    raw = path.encode("utf-8", "surrogateescape")
    return b'"' + b"".join(b"\\%03o" % byte for byte in raw) + b'"'
