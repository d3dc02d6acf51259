"""What is taken from a work tree that a model worked in: its tests, or its code, never both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator import LARGEST_CHANGED_FILE, PatchError, Shell, Stamp, stamps
from evaluator.diff import Changes, Keep
from evaluator.languages import is_test_file

MOST_FILES = 100
"""Files above which a tree is taken for flooded."""

MOST_NAMED = 20
"""Files that are named as left out."""


@dataclass(frozen=True)
class SubmissionRule:
    """Which files count, and how others and their absence are described."""

    keep: Keep
    other: str
    nothing: str


TESTS = SubmissionRule(is_test_file, "is no test file", "no test file was written or changed")
CODE = SubmissionRule(lambda path: not is_test_file(path), "is a test file", "no code was changed")


@dataclass(frozen=True)
class Submission:
    """The files that were written or changed, and what was left out, in words."""

    changes: Changes
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any file."""
        return bool(self.changes.contents)


def read_submission(shell: Shell, wanted: SubmissionRule = TESTS) -> Submission:
    """Take the files that count from a tree; nothing in the tree is trusted.

    Other files, deletions and what is no text are left out. A tree that cannot be read (a path
    that is too long, a directory without permissions), or that is flooded with files, gives
    nothing, and says so.
    """
    taken: dict[str, bytes | None] = {}
    left_out: list[str] = []
    try:
        for path, stamp in _touched(shell, wanted).items():
            reason = _unfit(path, stamp, wanted, shell.subject.pristine)
            content = b"" if reason else shell.source(path) or b""
            reason = reason or ("" if _is_text(content) else "is no text")
            if reason:
                left_out.append(f"{_name(path)}: {reason}")
            elif content != shell.subject.source(path):
                taken[path] = content
    except (OSError, PatchError) as error:
        return Submission(Changes(), (f"the tree cannot be read: {error}",))
    return Submission(Changes(taken), tuple(left_out[:MOST_NAMED]))


def _touched(shell: Shell, wanted: SubmissionRule) -> dict[str, Stamp | None]:
    """The files that were written or changed, by path, and None for those that were removed."""
    now = stamps(shell.tree)
    written = [path for path, stamp in now.items() if shell.stamps.get(path) != stamp]
    counting = sum(map(wanted.keep, written))
    if counting > MOST_FILES:
        raise PatchError(f"{counting} files were changed; at most {MOST_FILES} are taken")
    return {path: now.get(path) for path in sorted({*written, *shell.stamps.keys() - now.keys()})}


def _unfit(path: str, stamp: Stamp | None, wanted: SubmissionRule, pristine: Path) -> str:
    """Why a file is not even read, "" where it is."""
    if not path.isprintable():
        return "has a name that is no text"
    if not wanted.keep(path):
        return wanted.other
    if stamp is None:
        return "is deleted, which does not count"
    if stamp.size > LARGEST_CHANGED_FILE:
        return "is too large"
    return "" if _fits(path, pristine) else "stands where a directory or a link was"


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
