"""What is taken from a work tree that a model worked in: its test files, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, is_test_file
from evaluator.errors import PatchError
from evaluator.shell import Shell


@dataclass(frozen=True)
class Kept:
    """The test files that were written or changed, and what was left out, in words."""

    tests: Changes
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any test file."""
        return bool(self.tests.contents)


def kept_tests(shell: Shell) -> Kept:
    """Take the test files from a tree; nothing in the tree is trusted.

    Files that are no tests, deletions and what is no text are left out. A tree that cannot be
    read (a path that is too long, a directory without permissions) gives nothing, and says so.
    """
    try:
        contents = shell.changes().contents
    except (OSError, PatchError) as error:
        return Kept(Changes(), (f"the tree cannot be read: {error}",))
    pristine = shell.subject.pristine
    reasons = {path: _left_out(path, new, pristine) for path, new in sorted(contents.items())}
    kept = {path: contents[path] for path, reason in reasons.items() if not reason}
    told = [f"{path}: {reason}" for path, reason in reasons.items() if reason]
    return Kept(Changes(kept), tuple(told))


def _left_out(path: str, content: bytes | None, pristine: Path) -> str:
    """Why a file is not taken, "" where it is."""
    if not is_test_file(path):
        return "is no test file"
    if content is None:
        return "tests are not deleted"
    if not _fits(path, pristine):
        return "stands where the repository has a directory or a link"
    return "" if _is_text(content) else "is no text"


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
