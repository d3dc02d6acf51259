"""Watches a running command: reads its output, holds it to its limits, ends all of it."""

from __future__ import annotations

import select
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evaluator.errors import SandboxError
from evaluator.sandbox.protocol import Command, CommandResult, ExitReason, Mount, ResourceLimits
from evaluator.sandbox.usage import DiskWatch, ResourceUsage

# Pause between two looks at the usage: longer where looking is costly, so that it takes at most
# this share of a processor, but never so long that much can happen in between.
SHORTEST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0
SHARE_OF_TIME = 0.05
# What is left in the pipe after the end is read for at most so long.
DRAIN_SECONDS = 1.0


@dataclass(frozen=True)
class ProcessExit:
    """How the command itself ended."""

    ending: ExitReason
    exit_code: int | None

    @classmethod
    def from_code(cls, code: int) -> ProcessExit:
        """Read a shell's exit code: 128 + N stands for a death by signal N."""
        killed = 0 < code - 128 < signal.NSIG
        return cls(ExitReason.KILLED if killed else ExitReason.EXITED, code)


class HasFileno(Protocol):
    """Something with a descriptor that can be waited for."""

    def fileno(self) -> int:
        """The descriptor."""
        ...


class Running(Protocol):
    """A command that was started."""

    def fileno(self) -> int:
        """The descriptor that is readable when `read` has something to give."""
        ...

    def read(self) -> bytes:
        """The next piece of output; empty at its end, for ever after."""
        ...

    def wait(self, seconds: float) -> None:
        """Sleep until the command itself ended, at most so long."""
        ...

    def poll(self) -> ProcessExit | None:
        """How the command itself ended, None while it runs. What it started may still run."""
        ...

    def usage(self) -> ResourceUsage:
        """What the whole tree uses now."""
        ...

    def held_bytes(self) -> int:
        """Disk that the tree holds in files that were deleted and are still open."""
        ...

    def kill(self) -> None:
        """End the whole tree, and come back when it is gone. Safe to call again."""
        ...


def supervise(running: Running, command: Command) -> CommandResult:
    """Stay with a command until it ended or passed a limit; nothing of it runs afterwards."""
    guard = Guard(running, command)
    output = BoundedOutput(running, command.limits.output_bytes)
    try:
        ended = running.poll()
        while ended is None:
            output.pump(guard.seconds_to_next_look())
            broken = guard.broken_limit() if not output.full else ExitReason.OUTPUT
            ended = ProcessExit(broken, None) if broken else running.poll()
    finally:
        running.kill()
    output.drain()
    return _completed(ended, guard, output)


def _completed(ended: ProcessExit, guard: Guard, output: BoundedOutput) -> CommandResult:
    if ended.exit_code is not None and guard.disk.exceeded_at_end():
        ended = ProcessExit(ExitReason.DISK, None)
    if ended.exit_code is not None and output.full:
        ended = ProcessExit(ExitReason.OUTPUT, None)
    return CommandResult(
        ending=ended.ending,
        exit_code=ended.exit_code,
        output=output.text(),
        output_truncated=output.full,
        wall_seconds=time.monotonic() - guard.started,
    )


class Guard:
    """Looks from time to time whether a command passed one of its limits."""

    def __init__(self, running: Running, command: Command) -> None:
        self.started = time.monotonic()
        self.disk = DiskWatch(
            writable_sources(command.mounts), command.limits.disk_bytes, running.held_bytes
        )
        self._running = running
        self._limits = command.limits
        self._patience = command.patience
        self._next_look = self.started + SHORTEST_PAUSE_SECONDS

    @property
    def _deadline(self) -> float:
        return self.started + min(self._limits.wall_seconds, self._patience.seconds)

    def seconds_to_next_look(self) -> float:
        """How long nothing needs to be looked at; 0 or more."""
        return max(0.0, min(self._next_look, self._deadline) - time.monotonic())

    def broken_limit(self) -> ExitReason | None:
        """The limit that is passed, None while all are kept or it is not yet time to look."""
        now = time.monotonic()
        if now >= self._deadline:
            return ExitReason.TIMEOUT
        if now < self._next_look:
            return None
        # Not the time that passed: a command that keeps the processors busy would gain by it.
        cost = -time.thread_time()
        broken = self._look()
        cost += time.thread_time()
        pause = min(max(cost / SHARE_OF_TIME, SHORTEST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
        self._next_look = time.monotonic() + pause
        return broken

    def _look(self) -> ExitReason | None:
        broken = broken_by(self._running.usage(), self._limits)
        if broken is None and self.disk.exceeded():
            return ExitReason.DISK
        return broken


def broken_by(usage: ResourceUsage, limits: ResourceLimits) -> ExitReason | None:
    """The limit that this usage passes.

    The kernel refuses the process after the last one that is allowed, so reaching the number of
    processes is as much as can be seen of passing it.
    """
    # Processes before memory: what a great many share is not worth counting any more.
    if usage.tasks >= limits.processes:
        return ExitReason.PROCESSES
    if usage.out_of_memory or usage.memory_bytes > limits.memory_bytes:
        return ExitReason.MEMORY
    return ExitReason.CPU if usage.cpu_seconds > limits.cpu_seconds else None


class BoundedOutput:
    """The first bytes of a command's output, up to a limit."""

    def __init__(self, running: Running, limit_bytes: int) -> None:
        self._running = running
        self._limit = limit_bytes
        self._kept = bytearray()
        self._at_end = False

    @property
    def full(self) -> bool:
        """Whether more came than may be kept."""
        return len(self._kept) > self._limit

    def pump(self, seconds: float) -> None:
        """Take the next piece, waiting at most so long for it or for the command's end."""
        if self._at_end:
            self._running.wait(seconds)
        elif readable(self._running, seconds):
            piece = self._running.read()
            self._at_end = not piece
            self._kept += piece

    def drain(self) -> None:
        """Take what was written before the end and not read yet."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while not (self._at_end or self.full) and time.monotonic() < deadline:
            self.pump(0.05)

    def text(self) -> str:
        """What was kept, with bytes that are not UTF-8 replaced."""
        return self._kept[: self._limit].decode(errors="replace")


def readable(source: HasFileno, seconds: float) -> bool:
    """Whether there is something to read, waiting at most so long for it."""
    # Not select(): it cannot take descriptors above 1023, which a busy server reaches.
    poll = select.poll()
    poll.register(source, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def writable_sources(mounts: Iterable[Mount]) -> list[Path]:
    """The host paths that a command may write to."""
    return [mount.source for mount in mounts if mount.writable]


def check_mounts(mounts: Iterable[Mount]) -> None:
    """Refuse what no sandbox can mount. Raises SandboxError."""
    for mount in mounts:
        if not mount.source.is_absolute() or not mount.source.exists():
            raise SandboxError(
                f"cannot mount {mount.source}: give an absolute path that exists on this machine"
            )
        if not mount.target.is_absolute() or ".." in mount.target.parts:
            raise SandboxError(f"cannot mount {mount.source} at {mount.target}: not absolute")
