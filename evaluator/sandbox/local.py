"""A tree of processes on this machine: what the sandboxes without an engine have in common."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence

from evaluator.sandbox.inside import resource_limits
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.sandbox.usage import ResourceUsage, descendants, tree_usage, unlinked_bytes

PIECE_BYTES = 65536


class LocalTree:
    """A process that was started, with all that it starts."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        limits: ResourceLimits,
        environment: Mapping[str, str],
        directory: str | None = None,
        descriptors: Sequence[int] = (),
        standard_input: int = subprocess.DEVNULL,
        popen: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen,
    ) -> None:
        self._limits = limits
        self.process = popen(
            argv,
            cwd=directory,
            env=dict(environment),
            pass_fds=descriptors,
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self._output = self.process.stdout

    def fileno(self) -> int:
        """The descriptor of the output's pipe."""
        return self._output.fileno()

    def read(self) -> bytes:
        """The next piece of output; empty at its end."""
        return os.read(self.fileno(), PIECE_BYTES)

    def wait(self, seconds: float) -> None:
        """Sleep until the process ended, at most so long."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def usage(self) -> ResourceUsage:
        """What the whole tree uses now."""
        return tree_usage(self.process.pid, self._limits)

    def held_bytes(self) -> int:
        """Disk that the tree holds in files that were deleted and are still open."""
        return unlinked_bytes(process.pid for process in descendants(self.process.pid))

    def close(self) -> None:
        """Let go of the output, after the end."""
        self._output.close()


def confine(pid: int, limits: ResourceLimits) -> None:
    """Set the kernel's limits for a process that waits to start the command."""
    for kind, value in resource_limits(limits).items():
        _, hard = resource.prlimit(pid, kind)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, kind, (allowed, allowed))
