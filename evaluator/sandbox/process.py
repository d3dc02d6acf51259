"""The `process` sandbox: no wall at all around trusted code, only limits and a clean end."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator.errors import SandboxError
from evaluator.sandbox.inside import default_environment
from evaluator.sandbox.local import LocalTree, confine
from evaluator.sandbox.protocol import Command, CommandResult, Mount
from evaluator.sandbox.supervise import ProcessExit, check_mounts, readable, supervise
from evaluator.sandbox.usage import descendants, processes

SUBREAPER = Path(__file__).with_name("subreaper.py")
# Forks can outrun one round of killing; rounds go on until nothing is left, at most so long.
KILL_SECONDS = 10.0
KILL_PAUSE_SECONDS = 0.002


class ProcessSandbox:
    """Runs trusted code as a plain process: it sees the host's files and network, and can write.

    Limits, the clean environment and the end of the whole tree are those of the other sandboxes.
    """

    name = "process"

    def location(self, mount: Mount) -> str:
        """The host's own path."""
        return str(mount.source)

    def run(self, command: Command) -> CommandResult:
        """Run to the end or to a limit. Raises SandboxError where the directory is missing."""
        check_mounts(command.mounts)
        if not Path(command.directory).is_dir():
            raise SandboxError(f"cannot run in {command.directory}: no such directory")
        with tempfile.TemporaryDirectory(prefix="fixgate-", ignore_cleanup_errors=True) as scratch:
            confined = _with_scratch(command, Path(scratch))
            with _started(confined) as tree:
                return supervise(tree, confined)


def _with_scratch(command: Command, scratch: Path) -> Command:
    """The same command with a home and a directory for temporary files, held to the disk limit."""
    home = scratch / "home"
    home.mkdir()
    defaults = default_environment(command.guise, scratch=str(scratch), home=str(home))
    path = {"PATH": os.environ.get("PATH", os.defpath)}
    return dataclasses.replace(
        command,
        environment={**defaults, **path, **command.environment},
        mounts=(*command.mounts, Mount(scratch, PurePosixPath(scratch), writable=True)),
    )


@contextlib.contextmanager
def _started(command: Command) -> Iterator[AdoptingTree]:
    tree = AdoptingTree(command)
    try:
        tree.begin()
        yield tree
    finally:
        tree.kill()
        tree.close()


class AdoptingTree(LocalTree):
    """A command below a process that adopts its orphans (subreaper.py)."""

    def __init__(self, command: Command) -> None:
        self._channel, far_end = socket.socketpair()
        self._exit: ProcessExit | None = None
        with far_end:
            super().__init__(
                (sys.executable, "-I", "-S", str(SUBREAPER), str(far_end.fileno()), *command.argv),
                limits=command.limits,
                environment=command.environment,
                directory=command.directory,
                descriptors=(far_end.fileno(),),
            )

    def begin(self) -> None:
        """Let the command start, under its limits."""
        confine(self.process.pid, self._limits)
        self._channel.sendall(b"1")

    def wait(self, seconds: float) -> None:
        """Sleep until the command ended, at most so long."""
        readable(self._channel, seconds)

    def poll(self) -> ProcessExit | None:
        """How the command ended, None while it runs."""
        if self._exit is None and readable(self._channel, 0):
            answer = self._channel.recv(16)
            # No answer: the command killed the process above it.
            self._exit = ProcessExit.from_code(int(answer) if answer else 128 + signal.SIGKILL)
        return self._exit

    def kill(self) -> None:
        """End the whole tree; the adopting process last, so that no orphan gets away.

        Parents end before their children: a shell that outlives its command says "Killed", and
        what is said or written after the limit is not the command's own.
        """
        deadline = time.monotonic() + KILL_SECONDS
        while (members := self._members()) and time.monotonic() < deadline:
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(KILL_PAUSE_SECONDS)
        self.process.kill()
        self.process.wait()

    def _members(self) -> list[int]:
        """All but the adopting process, parents first; by session too, if that one was killed."""
        root = self.process.pid
        session = [process for process in processes() if process.session == root]
        living = (each.pid for each in (*descendants(root), *session) if not each.is_zombie)
        return [pid for pid in dict.fromkeys(living) if pid != root]

    def close(self) -> None:
        """Let go of the output and the channel."""
        super().close()
        self._channel.close()
