"""Finds the git directory at a place by reading files.

Git itself never runs in it: somebody else's configuration lies there.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.objects import Algorithm
from evaluator.errors import CheckoutError

_MOST_BYTES = 1 << 20
_SHA256 = re.compile(r'^\s*objectformat\s*=\s*"?sha256"?\s*$', re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class GitDirectory:
    """A git directory (gitrepository-layout(5)).

    `own` has HEAD; in a linked work tree it differs from `common`, which has the objects.
    """

    own: Path
    common: Path
    algorithm: Algorithm


def find_place(directory: Path) -> GitDirectory:
    """The repository at `directory`: a git directory, or a work tree that holds one.

    Raises CheckoutError saying what `directory` is instead.
    """
    if not directory.is_dir():
        raise CheckoutError("no such directory")
    candidate = directory / ".git" if (directory / ".git").exists() else directory
    own = candidate if candidate.is_dir() else _behind_gitfile(candidate)
    common = (own / (read_small(own / "commondir").strip() or ".")).absolute()
    if not (common / "objects").is_dir() or not read_small(own / "HEAD"):
        raise CheckoutError("not a git repository (it has no HEAD or no objects)")
    algorithm = _SHA256.search(read_small(common / "config"))
    return GitDirectory(own.absolute(), common, "sha256" if algorithm else "sha1")


def read_small(path: Path, most_bytes: int = _MOST_BYTES) -> str:
    """The text of a regular file, or as much of it as is wanted; "" where there is none to read.

    Links are not followed, and nothing is waited for.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return ""
    with os.fdopen(descriptor, "rb") as stream:
        return os.fsdecode(stream.read(most_bytes))


def _behind_gitfile(candidate: Path) -> Path:
    """The git directory that a `.git` file (of a linked work tree or submodule) points to."""
    pointer = read_small(candidate)
    if not pointer.startswith("gitdir:"):
        raise CheckoutError("not a git repository (its .git is neither a directory nor a pointer)")
    return candidate.parent / pointer.removeprefix("gitdir:").strip()
