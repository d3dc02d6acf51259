"""Report what happens, as it happens, to the supervisor (`main.py`)."""

import hashlib
import json
import os
import time

# The type itself, which cannot be patched: `socket.socket` is a class that tests do patch.
import _socket

import fixgate_probe_failure as failures
import fixgate_probe_hits as hits
import fixgate_probe_trace as trace

LONGEST_NAME = 4000
MOST_LINES = 2000

# The tests may replace these; what the probe uses is what was there before them.
_getpid = os.getpid
_encode = json.JSONEncoder(ensure_ascii=False).encode
_clock = time.time


def open_session(spec, address):
    """A session for the spec, with line counting switched on for the traced files."""
    counters = hits.Counters(spec["tree"], spec["traced"])
    recorder = trace.recorder(spec["tree"], spec["record"])
    session = Session(spec, address, counters, recorder)
    if spec["traced"]:
        counters.untraced = session.untraced
        counters.install()
        flush_hits_before_exit(session)
    return session


def flush_hits_before_exit(session):
    """Have `os._exit`, which skips every other way of ending, save the counts first."""
    leave = os._exit

    def _exit(status):
        session.save_hits("")
        leave(status)

    os._exit = _exit


class Session:
    """Reports to the supervisor, which takes nothing from forks of the process that made this."""

    def __init__(self, spec, address, counters, recorder):
        self.tree = os.path.realpath(spec["tree"])
        self.files = spec["files"]
        self.address = address
        self.counters = counters
        self.recorder = recorder
        self.only = frozenset(spec["only"])
        self.without = frozenset(spec["without"])
        self.process = _getpid()
        self.seen = {}
        self.relatives = {}
        self.started = 0.0

    def start(self, test, file):
        """Note that a test begins; returns the name under which it is recorded."""
        name = self.unique(test)
        self.save_hits("")
        self.recorder.begin()
        self.write({"event": "start", "test": name, "file": file})
        self.started = _clock()
        return name

    def finish(self, name, file, status, phase=None, failure=None, duration=None, description=""):
        """Note how a test ended. Said twice of one test, the last word counts."""
        self.save_hits("" if phase == "collection" else name)
        elapsed = _clock() - self.started if duration is None else duration
        self.write(
            {
                "event": "outcome",
                "test": name,
                "file": file,
                "status": status,
                "phase": phase,
                "failure": failure,
                "duration": round(elapsed, 6),
                "description": str(description or "")[:LONGEST_NAME],
            }
        )

    def collection(self, file, status, failure):
        """Note that a file could not be collected, or skipped itself."""
        self.finish(file, file, status, "collection", failure, 0.0)

    def abort(self, exception):
        """Note what stopped the whole run. `exception` is as from `sys.exc_info()`."""
        self.abort_with(self.failure(exception))

    def abort_with(self, failure):
        self.write({"event": "abort", "failure": failure})

    def untraced(self, path, reason):
        """Note that the executions of a file's lines cannot be counted."""
        self.write({"event": "untraced", "path": path, "reason": str(reason)[:LONGEST_NAME]})

    def end(self, code):
        """Note that the run came to its own end."""
        self.save_hits("")
        self.write({"event": "end", "exit_code": code})

    def save_hits(self, test):
        for path, lines in self.counters.risen().items():
            counts = list(lines.items())
            for start in range(0, len(counts), MOST_LINES):
                part = dict(counts[start : start + MOST_LINES])
                self.write({"event": "hits", "test": test, "lines": {path: part}})
        self.save_executed(test)

    def save_executed(self, test):
        """Report what was executed since the last time; `test` is "" outside of tests."""
        for path, lines in sorted(self.recorder.taken().items()):
            for start in range(0, len(lines), MOST_LINES):
                part = lines[start : start + MOST_LINES]
                self.write({"event": "executed", "test": test, "path": path, "lines": part})
        if self.recorder.missed():
            self.write({"event": "unseen", "test": test})

    def failure(self, exception):
        return failures.describe(exception, self.tree, self.files)

    def relative(self, path):
        """A path relative to the tree, or "" where it lies outside."""
        path = str(path)
        if path not in self.relatives:
            self.relatives[path] = failures.relative(path, self.tree)
        return self.relatives[path]

    def wants(self, test):
        """Whether a test is to run: every test where none is named; a function with all its cases."""
        names = (shortened(str(test)), shortened(str(test).partition("[")[0]))
        return self.without.isdisjoint(names) and not (self.only and self.only.isdisjoint(names))

    def unique(self, test):
        """The name itself the first time, then with `#2`, `#3`; long names are cut."""
        name = shortened(str(test))
        count = self.seen[name] = self.seen.get(name, 0) + 1
        return name if count == 1 else "%s#%d" % (name, count)

    def write(self, event):
        """Send one event, on a socket of its own: tests close descriptors that are not theirs.

        Lone surrogates become JSON's own escapes of them.
        """
        if _getpid() != self.process:
            return
        message = _encode(event).encode("utf-8", "backslashreplace")
        channel = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM)
        try:
            channel.setblocking(True)
            channel.sendto(message, self.address)
        finally:
            channel.close()


def shortened(name):
    """A name as it is recorded: where it is long, its beginning and a digest of all of it."""
    if len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]
    return "%s...%s" % (name[:LONGEST_NAME], digest)
