"""What every sandbox looks like from the inside, beside the mounts that a command asks for."""

from __future__ import annotations

import resource
from collections.abc import Mapping

from evaluator.sandbox.guise import USUAL, Guise
from evaluator.sandbox.protocol import MEBIBYTE, ResourceLimits

LASTING_SCRATCH = "/var/tmp"  # noqa: S108 (inside the sandbox, where nobody else is)
SHARED_MEMORY = "/dev/shm"  # noqa: S108
SHARED_MEMORY_BYTES = 64 * MEBIBYTE
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OPEN_FILES = 4096


def default_environment(guise: Guise, *, scratch: str = "", home: str = "") -> Mapping[str, str]:
    """The variables that a command finds unless it sets them itself; none comes from the host.

    `scratch` and `home` are other directories than the guise's.
    """
    return {
        "PATH": SEARCH_PATH,
        "HOME": home or guise.home,
        "TMPDIR": scratch or guise.scratch,
        "LANG": "C.UTF-8",
        "USER": guise.user,
        "LOGNAME": guise.user,
        **guise.variables,
    }


def scratch_directories(guise: Guise) -> tuple[str, ...]:
    """Where a command may write beside its mounts; programs know /tmp, whatever TMPDIR says."""
    return tuple(dict.fromkeys((USUAL.scratch, guise.scratch, guise.home)))


def scratch_bytes(limits: ResourceLimits) -> int:
    """Size of each in-memory file system (scratch, home): it is memory as much as it is disk."""
    return min(limits.disk_bytes, limits.memory_bytes // 4)


def largest_file_bytes(limits: ResourceLimits) -> int:
    """A little above the limit of the whole disk, so that passing that one is seen first."""
    return limits.disk_bytes + MEBIBYTE


def resource_limits(limits: ResourceLimits) -> Mapping[int, int]:
    """What the kernel holds each single process to (man 2 getrlimit), beside what is watched.

    Data is a backstop against one huge allocation between two looks at the tree, at twice the
    limit so that growing past the limit is noticed and named first.
    """
    return {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: largest_file_bytes(limits),
        resource.RLIMIT_DATA: 2 * limits.memory_bytes,
        resource.RLIMIT_NOFILE: OPEN_FILES,
    }
