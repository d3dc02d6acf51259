"""The one door to git: every git process of fixgate starts here, shielded from foreign settings.

What a process may read of a configuration is decided by its environment: `shielded` counts none but
that of the git directory at hand, which has to be one of ours; `fetching` counts the user's.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from evaluator.errors import CheckoutError

_SETTING_A_PLACE = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_TEMPLATE_DIR",
        "GIT_WORK_TREE",
    }
)
"""Variables that a surrounding git (a hook, say) sets and that would point us elsewhere."""
_FIXED = (
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    f"core.excludesFile={os.devnull}",
    "core.fsmonitor=false",
    # Summaries of objects that a repository brings along may differ from the objects.
    "core.commitGraph=false",
    "core.multiPackIndex=false",
)
"""Settings of every git process, whatever any configuration says."""
QUICK_TO_GIVE_UP = {"GIT_HTTP_LOW_SPEED_LIMIT": "1000", "GIT_HTTP_LOW_SPEED_TIME": "60"}
"""Variables with which git gives up on a connection that stands still for a minute."""
_NO_LAZY_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1"}


def shielded() -> dict[str, str]:
    """The environment in which no inherited variable and no user's or system's setting counts."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        **_NO_LAZY_FETCH,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def reading(git_directory: Path, objects: Path | None = None) -> dict[str, str]:
    """The environment in which git reads objects and does nothing else.

    `git_directory` is one of ours, as its configuration counts. No transport may run, so that
    nothing is fetched that a repository lacks. `objects` is where the objects lie if not in the
    git directory.
    """
    return shielded() | {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_DIR": str(git_directory),
        "GIT_OBJECT_DIRECTORY": str(objects or git_directory / "objects"),
        "GIT_OPTIONAL_LOCKS": "0",
    }


def fetching() -> dict[str, str]:
    """The environment in which git may use the network, as its user has set it up.

    It never asks for a password, and gives up on a connection that stands still for a minute.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _SETTING_A_PLACE}
    return kept | {
        **_NO_LAZY_FETCH,
        **QUICK_TO_GIVE_UP,
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def git(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    given: bytes = b"",
    directory: Path | None = None,
    seconds: float | None = None,
    fine: frozenset[int] = frozenset({0}),
) -> bytes:
    """What a git command prints that runs in a directory and is `given` some input.

    Raises CheckoutError with git's own last words if its exit code is not `fine`, or if it takes
    longer than `seconds`.
    """
    try:
        done = subprocess.run(
            _command(arguments),
            env=environment,
            input=given,
            cwd=directory,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError as error:
        raise _not_installed() from error
    except subprocess.TimeoutExpired as error:
        raise CheckoutError(f"git {arguments[0]} took longer than {seconds} seconds") from error
    if done.returncode not in fine:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise CheckoutError(words[-1] if words else f"git {arguments[0]}: exit {done.returncode}")
    return done.stdout


@contextlib.contextmanager
def git_process(
    arguments: Sequence[str], environment: Mapping[str, str], stdin: IO[bytes] | int
) -> Iterator[subprocess.Popen[bytes]]:
    """A git command that runs meanwhile, its output in a pipe. Raises CheckoutError without git."""
    try:
        process = subprocess.Popen(
            _command(arguments),
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except FileNotFoundError as error:
        raise _not_installed() from error
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            if process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):  # it ended before it was asked
                    process.stdin.close()


def _command(arguments: Sequence[str]) -> list[str]:
    settings = (part for setting in _FIXED for part in ("-c", setting))
    return ["git", *settings, *arguments]


def _not_installed() -> CheckoutError:
    return CheckoutError("git is not installed or not on PATH; install git")
