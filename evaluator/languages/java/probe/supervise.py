"""Supervise a run of tests: `python -I -S -B supervise.py DIRECTORY COMMAND...`.

DIRECTORY holds `spec.json`, written by `evaluator.run`, and `key`. The command runs the tests and
reports to this process, the only one that has the key, over a socket at its descriptor 0: a virtual
machine can write to no other one before Java 16. Each event is appended to DIRECTORY/results.jsonl
as it comes, so that a run that is killed leaves all that it had; numbered and signed, so that no
other process can add, change or remove one unnoticed.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import hashlib
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

PR_SET_DUMPABLE = 4
LARGEST_PIECE_BYTES = 64 * 1024
LONGEST_LINE_BYTES = 256 * 1024
CREDENTIALS = array.array("i", [0, 0, 0])


def main() -> int:
    """Run the command; its exit code, 128 + N for a death by signal."""
    close_to_others()
    directory = Path(sys.argv[1])
    ledger = Ledger(directory)
    inbox, outlet = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    inbox.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    inbox.setblocking(False)
    # Whoever reads standard input finds it at its end.
    inbox.shutdown(socket.SHUT_WR)
    bell = bell_of_children()
    child = start(sys.argv[2:], outlet)
    outlet.close()
    record(Inbox(inbox, child), bell, ledger)
    _, status = os.waitpid(child, 0)
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def close_to_others() -> None:
    """Have the kernel refuse processes of the same user this one's memory and descriptors."""
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError("prctl(PR_SET_DUMPABLE) failed")


class Ledger:
    """The results file. The key is gone from the disk before anything else is started."""

    def __init__(self, directory: Path) -> None:
        self._key = (directory / "key").read_bytes()
        (directory / "key").unlink()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
        self._file = os.open(directory / "results.jsonl", flags, 0o644)
        self._count = 0

    def add(self, event: bytes) -> None:
        """Append one event, given as bytes without a line break."""
        numbered = b"%d %s" % (self._count, event)
        signature = hashlib.blake2b(numbered, key=self._key, digest_size=32).hexdigest()
        os.write(self._file, b"%s %s\n" % (signature.encode("ascii"), event))
        self._count += 1


def bell_of_children() -> int:
    """A descriptor that becomes readable when a child process ends."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing)
    return reading


def start(command: list[str], outlet: socket.socket) -> int:
    """Start the tests, in a process group of their own so that `kill 0` stays in it."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        os.dup2(outlet.fileno(), 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execv(command[0], command)  # noqa: S606
    finally:
        os._exit(127)


class Inbox:
    """The lines that one process wrote, whoever else may hold the socket."""

    def __init__(self, inbox: socket.socket, writer: int) -> None:
        self.socket = inbox
        self.writer = writer
        self._begun = b""

    def waiting(self) -> Iterator[bytes]:
        """The lines that have arrived."""
        with contextlib.suppress(BlockingIOError):
            while piece := self._piece():
                *lines, self._begun = (self._begun + piece).split(b"\n")
                yield from lines
                self._begun = self._begun[:LONGEST_LINE_BYTES]

    def _piece(self) -> bytes:
        """The next bytes of the writer; the kernel never joins those of two processes."""
        room = socket.CMSG_SPACE(len(CREDENTIALS.tobytes()))
        while True:
            piece, ancillary, _, _ = self.socket.recvmsg(LARGEST_PIECE_BYTES, room)
            if not piece or sender(ancillary) == self.writer:
                return piece


def sender(ancillary: list[tuple[int, int, bytes]]) -> int:
    """The id of the process that sent a message, which only the kernel can say; 0 if unsaid."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return int.from_bytes(data[:4], sys.byteorder)
    return 0


def record(inbox: Inbox, bell: int, ledger: Ledger) -> None:
    """Add the events that the child reports to the ledger, until it ended and all are read."""
    poll = select.poll()
    poll.register(inbox.socket, select.POLLIN)
    poll.register(bell, select.POLLIN)
    ended = False
    while not ended:
        for source, events in poll.poll():
            # Everyone closed the socket: what is left is to wait for the end.
            if source == inbox.socket.fileno() and events & select.POLLHUP:
                poll.unregister(source)
        with contextlib.suppress(BlockingIOError):
            os.read(bell, 512)
        # It stays a zombie until all is read: no other process can come by its number meanwhile.
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        ended = os.waitid(os.P_PID, inbox.writer, look) is not None
        for event in inbox.waiting():
            ledger.add(event)


if __name__ == "__main__":
    sys.exit(main())
