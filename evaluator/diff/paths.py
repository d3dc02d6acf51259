"""Which paths a patch may name: those that stay inside the tree and outside git's own files."""

from __future__ import annotations

import re

from evaluator.errors import PatchError

_LONGEST_COMPONENT = 255
_LONGEST_PATH = 4096
_DRIVE = re.compile(r"[A-Za-z]:([\\/]|$)")


def checked(path: str) -> str:
    """The path with `.` and empty components taken out.

    Raises PatchError, naming the path, where it would leave the tree or enter `.git`. Backslashes
    are looked at as separators too, so that no other file system reads the path in its own way.
    """
    reason = refusal(path)
    if reason:
        raise PatchError(f"refused path {path[:_LONGEST_COMPONENT]!r}: {reason}")
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def refusal(path: str) -> str:
    """Why a path is refused, "" where it is not."""
    parts = path.replace("\\", "/").split("/")
    longest = max(len(part.encode("utf-8", "replace")) for part in parts)
    refusals = {
        "it is empty": not path.strip("./") and ".." not in path,
        "it holds a NUL byte": "\0" in path,
        "it is not valid Unicode": not _is_encodable(path),
        "it is absolute": path.startswith(("/", "\\")),
        "it names a drive": bool(_DRIVE.match(path)),
        "it leaves the tree": ".." in parts,
        "it lies in .git": any(_is_git(part) for part in parts),
        "it names a directory": path.endswith("/"),
        "it is too long": longest > _LONGEST_COMPONENT or len(path) > _LONGEST_PATH,
    }
    return next((reason for reason, holds in refusals.items() if holds), "")


def _is_encodable(path: str) -> bool:
    # Bytes that are not UTF-8 stand in paths as the surrogates that `os.fsdecode` makes of them.
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _is_git(component: str) -> bool:
    # Windows drops trailing dots and spaces and knows the short name; macOS ignores the case.
    return component.rstrip(" .").lower() in {".git", "git~1"}
