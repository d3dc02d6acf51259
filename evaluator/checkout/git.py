"""Calls git, shielded from the caller's own Git environment."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator.errors import CheckoutError

_SETTING_A_PLACE = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
"""Variables that a surrounding git (a hook, say) sets and that would point us elsewhere."""


def reading(git_directory: Path, objects: Path | None = None) -> dict[str, str]:
    """The environment in which git reads a repository and does nothing else.

    Nobody's configuration counts but the git directory's own; no transport may run, so a partial
    clone cannot go to the network for what it lacks; no replacement object stands in for another.
    `objects` is where the objects lie if not in the git directory.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_DIR": str(git_directory),
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OBJECT_DIRECTORY": str(objects or git_directory / "objects"),
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }


def fetching() -> dict[str, str]:
    """The environment in which git may use the network, as its user has set it up.

    It never asks for a password, and gives up on a connection that stands still for a minute.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _SETTING_A_PLACE}
    return kept | {
        "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
        "GIT_HTTP_LOW_SPEED_TIME": "60",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def git(arguments: Sequence[str], environment: Mapping[str, str], *, given: bytes = b"") -> bytes:
    """What a git command prints when it is `given` some input.

    Raises CheckoutError with git's own last words if it fails.
    """
    try:
        done = subprocess.run(
            ["git", *arguments],
            env=environment,
            input=given,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise CheckoutError("git is not installed or not on PATH; install git") from error
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise CheckoutError(words[-1] if words else f"git {arguments[0]}: exit {done.returncode}")
    return done.stdout
