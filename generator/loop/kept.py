"""What is taken from a work tree that a model worked in: its tests, or its code, never both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, Keep, is_test_file
from evaluator.errors import PatchError
from evaluator.shell import LARGEST_CHANGED_FILE, Shell, stamps

MOST_FILES = 100
"""Files above which a tree is taken for flooded."""


@dataclass(frozen=True)
class Wanted:
    """Which files count, and how others and their absence are told."""

    keep: Keep
    other: str
    nothing: str


TESTS = Wanted(is_test_file, "is no test file", "no test file was written or changed")
CODE = Wanted(lambda path: not is_test_file(path), "is a test file", "no code was changed")


@dataclass(frozen=True)
class Kept:
    """The files that were written or changed, and what was left out, in words."""

    changes: Changes
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any file."""
        return bool(self.changes.contents)


def kept(shell: Shell, wanted: Wanted = TESTS) -> Kept:
    """Take the files that count from a tree; nothing in the tree is trusted.

    Other files, deletions and what is no text are left out. A tree that cannot be
    read (a path that is too long, a directory without permissions), or that is flooded with
    files, gives nothing, and says so.
    """
    try:
        contents = _changed(shell, wanted)
    except (OSError, PatchError) as error:
        return Kept(Changes(), (f"the tree cannot be read: {error}",))
    pristine = shell.subject.pristine
    reasons = {path: "" if wanted.keep(path) else wanted.other for path in sorted(contents)}
    reasons |= {
        path: _left_out(path, contents[path], pristine)
        for path, reason in reasons.items()
        if not reason
    }
    taken = {path: contents[path] for path, reason in reasons.items() if not reason}
    told = [f"{_name(path)}: {reason}" for path, reason in reasons.items() if reason]
    return Kept(Changes(taken), tuple(told))


def _changed(shell: Shell, wanted: Wanted) -> dict[str, bytes | None]:
    """The files that were touched; only those that count are read, at most MOST_FILES."""
    now = stamps(shell.tree)
    touched = [path for path, stamp in now.items() if shell.stamps.get(path) != stamp]
    counting = [path for path in touched if wanted.keep(path)]
    if len(counting) > MOST_FILES:
        raise PatchError(f"{len(counting)} files were changed; at most {MOST_FILES} are taken")
    new = {path: _read(shell, path, now[path].size) for path in counting}
    others = dict.fromkeys((set(touched) | shell.stamps.keys() - now.keys()) - set(counting))
    return others | {path: content for path, content in new.items() if content is not None}


def _read(shell: Shell, path: str, size: int) -> bytes | None:
    """The content of a file, None where it is as it was; what is too large is cut and no text."""
    if size > LARGEST_CHANGED_FILE:
        return b"\0"
    content = shell.source(path)
    return None if content == shell.subject.source(path) else content


def _left_out(path: str, content: bytes | None, pristine: Path) -> str:
    """Why a file is not taken, "" where it is."""
    if not path.isprintable():
        return "has a name that is no text"
    if content is None:
        return "is deleted, which does not count"
    if not _fits(path, pristine):
        return "stands where the repository has a directory or a link"
    return "" if _is_text(content) else "is no text"


def _name(path: str) -> str:
    return path if path.isprintable() else ascii(path)


def _fits(path: str, pristine: Path) -> bool:
    """Whether a file of that path can be written into the tree as it was."""
    file = pristine / path
    parents = [pristine / parent for parent in list(PurePosixPath(path).parents)[:-1]]
    clear = all(place.is_dir() or not place.exists() for place in parents)
    links = any(place.is_symlink() for place in (file, *parents))
    return clear and not links and not file.is_dir()


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False
