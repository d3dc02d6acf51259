"""Runs a command, adopts every process that it leaves behind, and reports how it ended.

Started as a script by the `process` sandbox: `python -I -S subreaper.py CHANNEL COMMAND...`, where
CHANNEL is the descriptor of a socket. It waits there for a byte before it starts the command,
writes the exit code there as one line, and then stays until it is killed: as long as it lives,
daemons of the command remain its descendants and can be found (man 2 prctl,
PR_SET_CHILD_SUBREAPER).
"""

from __future__ import annotations

import ctypes
import os
import sys

# No more imports than needed: each one delays every command by some milliseconds.
SIGKILL = 9
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Wait for leave, run the command, report, and stay."""
    channel, command = int(sys.argv[1]), sys.argv[2:]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if not os.read(channel, 1):
        os._exit(1)
    os.set_inheritable(channel, False)
    child = os.fork()
    if child == 0:
        execute(command)
    # The end of the output is to be seen when the command closes it, not when this process ends.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    reap(child, channel)


def execute(command: list[str]) -> None:
    """Become the command, in a process group of its own so that `kill 0` stays in it."""
    os.setpgid(0, 0)
    try:
        os.execvp(command[0], command)  # noqa: S606 (that is the task)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def reap(child: int, channel: int) -> None:
    """Wait for children without end; report when the command itself is among them."""
    while True:
        try:
            pid, ending = os.wait()
        except ChildProcessError:
            # Nothing is left to adopt; the far end says no more, so this waits to be killed.
            os.read(channel, 1)
            return
        if pid == child:
            code = os.waitstatus_to_exitcode(ending)
            os.write(channel, f"{code if code >= 0 else 128 - code}\n".encode())


if __name__ == "__main__":
    main()
