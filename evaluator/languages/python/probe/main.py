"""Supervise a run of tests: `python -I -S -B main.py DIRECTORY [--services]`.

DIRECTORY holds `spec.json`, written by `evaluator.run`, and `key`. The tests run in a child process
(`runner.py`) and report to this one, which is isolated (-I -S: nothing of the target is imported
here) and the only one that has the key. Each event is appended to DIRECTORY/results.jsonl as it comes, so
that a run that is killed leaves all that it had; numbered and signed, so that no other process can
add, change or remove one unnoticed.
"""

import os
import select
import sys

# Without the modules around them, which take longer to import than all the rest of this.
import _signal as signal
import _socket
from _blake2 import blake2b

PROBE = os.path.dirname(os.path.abspath(__file__))
LARGEST_EVENT_BYTES = 256 * 1024
# More than a socket of this kind holds; who floods it does not keep the run from its end.
MOST_WAITING = 10000
PR_SET_DUMPABLE = 4
CREDENTIALS_BYTES = 12
SERVICE_FAILED = 70


def main():
    close_to_others()
    directory = sys.argv[1]
    ledger = Ledger(directory)
    if "--services" not in sys.argv[2:]:
        return supervise(directory, ledger)
    sys.path.insert(0, PROBE)
    import fixgate_probe_services as services

    try:
        with services.running(directory):
            return supervise(directory, ledger)
    except services.ServiceError as error:
        ledger.add(error.event())
        return SERVICE_FAILED


def close_to_others():
    """Have the kernel refuse processes of the same user this one's memory and descriptors."""
    try:
        import ctypes
    except ImportError:  # An interpreter that was built without libffi.
        return
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError("prctl(PR_SET_DUMPABLE) failed")


class Ledger:
    """The results file. The key is gone from the disk before anything else is started."""

    def __init__(self, directory):
        path = os.path.join(directory, "key")
        with open(path, "rb") as file:
            self.key = file.read()
        os.unlink(path)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
        self.file = os.open(os.path.join(directory, "results.jsonl"), flags, 0o644)
        self.count = 0

    def add(self, event):
        """Append one event, given as bytes without a line break."""
        numbered = b"%d %s" % (self.count, event)
        signature = blake2b(numbered, key=self.key, digest_size=32).hexdigest()
        os.write(self.file, b"%s %s\n" % (signature.encode("ascii"), event))
        self.count += 1


def supervise(directory, ledger):
    """Run the tests and record what they report; their exit code, 128 + N for a death by signal."""
    inbox = open_inbox()
    bell = bell_of_children()
    child = start_tests(directory, inbox.getsockname())
    record(inbox, bell, child, ledger)
    _, status = os.waitpid(child, 0)
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def open_inbox():
    """A socket where the kernel says of each message which process sent it.

    Its name is in no file system, and nobody holds a descriptor of it: tests remove files and close
    descriptors that are not theirs.
    """
    inbox = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM)
    inbox.setsockopt(_socket.SOL_SOCKET, _socket.SO_PASSCRED, 1)
    inbox.setblocking(False)
    inbox.bind(b"\0fixgate-" + os.urandom(16))
    return inbox


def bell_of_children():
    """A descriptor that becomes readable when a child process ends."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing)
    return reading


def start_tests(directory, address):
    """Start the tests, in a process group of their own so that `kill 0` stays in it."""
    runner = os.path.join(PROBE, "runner.py")
    spec = os.path.join(directory, "spec.json")
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        # As this process found them: Python ignores both, and a program keeps what is ignored.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, runner, spec, address.hex()])
    finally:
        os._exit(127)


def record(inbox, bell, child, ledger):
    """Add the events that the child reports to the ledger, until it ended and all are read."""
    poll = select.poll()
    for source in (inbox, bell):
        poll.register(source, select.POLLIN)
    ended = False
    while not ended:
        poll.poll()
        drain(bell)
        # It stays a zombie until all is read: no other process can come by its number meanwhile.
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        ended = os.waitid(os.P_PID, child, look) is not None
        for event in waiting(inbox, child):
            ledger.add(event)


def drain(bell):
    try:
        os.read(bell, 512)
    except BlockingIOError:
        pass


def waiting(inbox, child):
    """The messages that have arrived and were sent by this very process, not by its children."""
    room = _socket.CMSG_SPACE(CREDENTIALS_BYTES)
    for _ in range(MOST_WAITING):
        try:
            event, ancillary, _, _ = inbox.recvmsg(LARGEST_EVENT_BYTES, room)
        except BlockingIOError:
            return
        if sender(ancillary) == child and b"\n" not in event:
            yield event


def sender(ancillary):
    """The id of the process that sent a message, which only the kernel can say; 0 if unsaid."""
    for level, kind, data in ancillary:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_CREDENTIALS:
            return int.from_bytes(data[:4], sys.byteorder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
