"""Whether the fixgate process that left something behind still lives."""

from __future__ import annotations

import os
from dataclasses import astuple, dataclass
from pathlib import Path

PROC = Path("/proc")
SEPARATOR = "/"


@dataclass(frozen=True)
class Owner:
    """A process, named so that no other one is ever taken for it.

    A process id alone comes round again; with the boot, the process namespace and the start time
    (clock ticks since the boot) it does not.
    """

    boot: str
    namespace: str
    pid: str
    start: str

    @classmethod
    def current(cls) -> Owner:
        """The process that asks."""
        return cls(_boot(), _namespace(), str(os.getpid()), _start("self"))

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """Read what `str` wrote; None where it is something else."""
        parts = text.split(SEPARATOR)
        return cls(*parts) if len(parts) == 4 else None

    def __str__(self) -> str:
        return SEPARATOR.join(astuple(self))

    @property
    def is_gone(self) -> bool:
        """Whether it surely ended. Processes of another namespace cannot be looked up: False."""
        if self.boot != _boot():
            return True
        return self.namespace == _namespace() and self.start != _start(self.pid)


def _boot() -> str:
    return (PROC / "sys/kernel/random/boot_id").read_text().strip()


def _namespace() -> str:
    return str((PROC / "self/ns/pid").readlink())


def _start(pid: str) -> str:
    """The start time of a process in clock ticks, "" where there is none."""
    try:
        stat = (PROC / pid / "stat").read_text(errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
