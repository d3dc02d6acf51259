"""The protocol that every sandbox follows: one command in, its bounded result out."""

from __future__ import annotations

import enum
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from evaluator.sandbox.guise import USUAL, Guise

GIBIBYTE = 1024**3
MEBIBYTE = 1024**2


@dataclass(frozen=True)
class ResourceLimits:
    """What a command may use before it is stopped, with all its children.

    Threads count as processes: tests of what is safe for threads start up to a thousand.
    """

    wall_seconds: float = 1800.0
    cpu_seconds: float = 3600.0
    memory_bytes: int = 6 * GIBIBYTE
    processes: int = 2048
    disk_bytes: int = 2 * GIBIBYTE
    output_bytes: int = 16 * MEBIBYTE


class Patience:
    """How many seconds a command is waited for, beside its limits: another thread settles it."""

    def __init__(self) -> None:
        self.seconds = math.inf
        self._settled = threading.Event()

    def settle(self, seconds: float = math.inf) -> None:
        """Say how many it is, while the command runs or before."""
        self.seconds = seconds
        self._settled.set()

    def wait(self) -> float:
        """How many it is, once that is settled."""
        self._settled.wait()
        return self.seconds


@dataclass(frozen=True)
class Mount:
    """A host directory or file that the command sees at `target`, read-only unless `writable`."""

    source: Path
    target: PurePosixPath
    writable: bool = False


@dataclass(frozen=True)
class Command:
    """A program to run. Paths in `argv`, `directory` and `environment` are those seen inside.

    `guise` names the user, the host and directories, as far as a sandbox can choose them. `purpose`
    says to who waits what it is for, where it may take minutes. It is stopped as after its wall
    seconds where `patience` ends before.
    """

    argv: tuple[str, ...]
    directory: str
    mounts: tuple[Mount, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    network: bool = False
    guise: Guise = USUAL
    purpose: str = ""
    patience: Patience = field(default_factory=Patience, compare=False)


class ExitReason(enum.StrEnum):
    """Why a command is no longer running."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISK = "disk"
    OUTPUT = "output"
    KILLED = "killed"


@dataclass(frozen=True)
class CommandResult:
    """What came out. `output` is stdout and stderr in the order they came, cut at the limit.

    `exit_code` is None unless `ending` is EXITED; a death by signal N that fixgate did not
    cause is ending KILLED with exit_code 128 + N.
    """

    ending: ExitReason
    exit_code: int | None
    output: str
    output_truncated: bool
    wall_seconds: float


class Sandbox(Protocol):
    """One way of running a command. Implementations are safe to call from several threads."""

    @property
    def name(self) -> str:
        """What users choose it by."""
        ...

    def location(self, mount: Mount) -> str:
        """The path under which the command sees a mount (the host's own in `process`)."""
        ...

    def run(self, command: Command) -> CommandResult:
        """Run to the end or to a limit; nothing of it is left running afterwards.

        Raises SandboxError when the sandbox cannot be set up.
        """
        ...
