"""Writes changes: as a unified diff, or into a tree on disk, without ever following a link."""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from evaluator.diff.paths import checked
from evaluator.diff.text import decode, to_lines
from evaluator.diff.types import Changes
from evaluator.errors import PatchError
from evaluator.model import Source

CONTEXT = 3
"""Lines of context around a hunk, as git has it."""


def unified_diff(changes: Changes, source: Source) -> str:
    """The unified diff that makes the changes; "" where they change nothing.

    Bytes that are not UTF-8 come out as lone surrogates, as `apply` reads them.
    See https://git-scm.com/docs/diff-format for the form of its header lines.
    """
    return "".join(
        _file(path, source(path), changes.contents[path], path in changes.executable)
        for path in sorted(changes.contents)
    )


def _file(path: str, old: bytes | None, new: bytes | None, executable: bool) -> str:
    if old == new:
        return ""
    mode = "100755" if executable else "100644"
    lines = [f"diff --git a/{path} b/{path}\n"]
    lines += [f"new file mode {mode}\n"] if old is None else []
    lines += [f"deleted file mode {mode}\n"] if new is None else []
    before = "/dev/null" if old is None else f"a/{path}"
    after = "/dev/null" if new is None else f"b/{path}"
    return "".join([*lines, *_hunks(_lines(old), _lines(new), before, after)])


def _lines(content: bytes | None) -> list[str]:
    return to_lines(decode(content or b""))


def _hunks(old: list[str], new: list[str], before: str, after: str) -> Iterator[str]:
    for line in difflib.unified_diff(old, new, before, after, n=CONTEXT):
        ends = line.endswith("\n")
        yield line if ends else f"{line}\n\\ No newline at end of file\n"


_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_EXECUTABLE, _PLAIN = 0o755, 0o644


def write(changes: Changes, tree: Path) -> None:
    """Write the changed files into a tree and remove the deleted ones, emptied directories too.

    A file is replaced and not written over, so that a hard link to it elsewhere keeps its content.
    Raises PatchError, naming the path, for one that leaves the tree, enters `.git`, goes through a
    symbolic link or stands where a directory is; all paths are looked at before any is written.
    """
    emptied = {path for path, content in changes.contents.items() if content is None}
    for path in changes.contents:
        _look_at(tree, checked(path), emptied)
    for path, content in changes.contents.items():
        if content is None:
            _remove(tree, checked(path))
    for path, content in changes.contents.items():
        if content is not None:
            _put(tree, checked(path), content, _mode(changes, path))


def tree_source(tree: Path) -> Source:
    """Reads the regular files of a tree on disk; None for what is not one, links followed never.

    The source raises PatchError for a path that leaves the tree or goes through a symbolic link.
    """

    def read(path: str) -> bytes | None:
        *parents, name = checked(path).split("/")
        with _directory(tree, parents, path, make=False) as directory:
            if directory is None or not stat.S_ISREG(_kind(directory, name, path)):
                return None
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
            with os.fdopen(descriptor, "rb") as stream:
                return stream.read()

    return read


def _mode(changes: Changes, path: str) -> int | None:
    if path in changes.executable:
        return _EXECUTABLE
    return _PLAIN if path in changes.plain else None


def _look_at(tree: Path, path: str, emptied: set[str]) -> None:
    *parents, name = path.split("/")
    with _directory(tree, parents, path, make=False) as directory:
        kind = 0 if directory is None else _kind(directory, name, path)
    goes = any(other.startswith(f"{path}/") for other in emptied)
    if kind and not stat.S_ISREG(kind) and not (stat.S_ISDIR(kind) and goes):
        raise _irregular(path, kind)


def _irregular(path: str, kind: int) -> PatchError:
    what = "a directory" if stat.S_ISDIR(kind) else "no regular file"
    return PatchError(f"refused path {path!r}: it is {what} in the tree")


def _put(tree: Path, path: str, content: bytes, mode: int | None) -> None:
    *parents, name = path.split("/")
    with _directory(tree, parents, path, make=True) as directory:
        if directory is None:
            raise PatchError(f"refused path {path!r}: its directory went away")
        kind = _kind(directory, name, path)
        if kind and not stat.S_ISREG(kind):
            raise _irregular(path, kind)
        kept = stat.S_IMODE(kind) & 0o777 if kind else _PLAIN
        temporary = f".{secrets.token_hex(8)}.new"
        descriptor = os.open(temporary, _NEW, 0o600, dir_fd=directory)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                os.fchmod(stream.fileno(), kept if mode is None else mode)
            os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=directory)
            raise


def _remove(tree: Path, path: str) -> None:
    parts = path.split("/")
    with _directory(tree, parts[:-1], path, make=False) as directory:
        if directory is None or not _kind(directory, parts[-1], path):
            return
        os.unlink(parts[-1], dir_fd=directory)
    for depth in range(len(parts) - 1, 0, -1):
        with _directory(tree, parts[: depth - 1], path, make=False) as directory:
            if directory is None or not _removed_empty(parts[depth - 1], directory):
                return


def _removed_empty(name: str, directory: int) -> bool:
    try:
        os.rmdir(name, dir_fd=directory)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def _kind(directory: int, name: str, path: str) -> int:
    """The mode of what stands under a name, 0 where nothing does; links are refused."""
    try:
        mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0
    if stat.S_ISLNK(mode):
        raise PatchError(f"refused path {path!r}: it is a symbolic link in the tree")
    return mode


@contextlib.contextmanager
def _directory(tree: Path, parents: list[str], path: str, *, make: bool) -> Iterator[int | None]:
    """A descriptor of the directory, reached step by step; None where it is not there."""
    with contextlib.ExitStack() as opened:
        reached: int | None = os.open(tree, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for name in parents:
            if reached is None:
                break
            opened.callback(os.close, reached)
            reached = _step(reached, name, path, make=make)
        if reached is not None:
            opened.callback(os.close, reached)
        yield reached


def _step(directory: int, name: str, path: str, *, make: bool) -> int | None:
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=directory)
    try:
        return os.open(name, _DIRECTORY, dir_fd=directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        _kind(directory, name, path)
        if make:
            raise PatchError(f"refused path {path!r}: {name!r} is a file in the tree") from error
        return None
