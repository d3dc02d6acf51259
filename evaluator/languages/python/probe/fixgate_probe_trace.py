"""Record which lines of a tree are executed: those where functions begin, or all of them.

From Python 3.12 on by `sys.monitoring`, which costs next to nothing once a place was seen; before
by `sys.settrace`. That makes calls several times as slow, so that functions are recorded from the
first test on only, and of each test a bounded number of calls.
"""

import os
import sys
import threading

_gettrace, _settrace = sys.gettrace, sys.settrace
FOREIGN = {"site-packages", "dist-packages"}
MOST_CALLS = 200000
TOOL = 4
TOOL_NAME = "fixgate"
PROCESSES = {"subprocess.py", "popen_fork.py", "popen_spawn_posix.py", "popen_forkserver.py"}
STARTING = {"_execute_child", "_launch"}
"""Where the standard library starts processes, whose work is not seen here: files, functions."""


def recorder(tree, record):
    """What records `functions`, `lines` or `nothing` of the files below a tree, switched on."""
    if record == "nothing":
        return Nothing()
    chosen = (Monitoring if hasattr(sys, "monitoring") else Tracing)(tree, record == "lines")
    chosen.prepare()
    return chosen


class Nothing:
    """Records nothing."""

    def begin(self):
        pass

    def taken(self):
        return {}

    def missed(self):
        return False


class Recorder:
    """What both ways of recording share: which files count, and what was seen."""

    def __init__(self, tree, lines):
        self.tree = os.path.realpath(tree) + os.sep
        self.lines = lines
        self.paths = {}
        self.seen = {}
        self.spawned = False

    def path_of(self, code):
        """The path of a code object's file relative to the tree, "" for all others."""
        name = code.co_filename
        if name not in self.paths:
            self.paths[name] = self.relative(name)
        path = self.paths[name]
        if path is None:
            self.spawned = self.spawned or code.co_name in STARTING
        return path or ""

    def relative(self, name):
        """As `path_of`; None for what starts processes."""
        if os.path.basename(name) in PROCESSES:
            return None
        if name.startswith("<"):
            return ""
        whole = os.path.realpath(name)
        below = whole[len(self.tree) :] if whole.startswith(self.tree) else ""
        return "" if FOREIGN.intersection(below.split(os.sep)) else below.replace(os.sep, "/")

    def taken(self):
        """{path: sorted lines} of what was executed since the last call."""
        seen, self.seen = self.seen, {}
        self.begin_again()
        return {path: sorted(lines) for path, lines in seen.items()}

    def missed(self):
        """Whether something was executed since the last call that cannot be seen."""
        missed, self.spawned = self.spawned or self.replaced(), False
        return missed


class Monitoring(Recorder):
    """Records by `sys.monitoring`: each place is reported once, until they all begin again."""

    def prepare(self):
        monitoring = sys.monitoring
        events = monitoring.events.PY_START | (monitoring.events.LINE if self.lines else 0)
        monitoring.use_tool_id(TOOL, TOOL_NAME)
        monitoring.register_callback(TOOL, monitoring.events.PY_START, self.on_start)
        monitoring.register_callback(TOOL, monitoring.events.LINE, self.on_line)
        monitoring.set_events(TOOL, events)

    def on_start(self, code, offset):
        return self.on_line(code, code.co_firstlineno if code.co_name != "<module>" else 0)

    def on_line(self, code, line):
        path = self.path_of(code)
        if path and line:
            self.seen.setdefault(path, set()).add(line)
        return sys.monitoring.DISABLE

    def begin(self):
        pass

    def begin_again(self):
        sys.monitoring.restart_events()

    def replaced(self):
        return sys.monitoring.get_tool(TOOL) != TOOL_NAME


class Tracing(Recorder):
    """Records by a trace function, which the tests may replace by one of their own."""

    def prepare(self):
        self.codes = {}
        self.calls = 0
        self.function = None
        if self.lines:
            self.begin()

    def begin(self):
        """Record from now on, if that was not begun before."""
        if self.function is None:
            self.function = self.on_call
            threading.settrace(self.function)
            _settrace(self.function)

    def on_call(self, frame, event, argument):
        self.calls += 1
        if self.calls > MOST_CALLS and not self.lines:
            _settrace(None)
            return None
        code = frame.f_code
        # By identity: to compare code objects takes long. The value keeps the code alive.
        if id(code) in self.codes:
            return self.codes[id(code)][1]
        path = self.path_of(code)
        local = None
        if path:
            local = self.on_line if self.lines else None
            if code.co_name != "<module>":
                self.seen.setdefault(path, set()).add(code.co_firstlineno)
        self.codes[id(code)] = (code, local)
        return local

    def on_line(self, frame, event, argument):
        if event == "line":
            self.seen.setdefault(self.path_of(frame.f_code), set()).add(frame.f_lineno)
        return self.on_line

    def begin_again(self):
        self.codes = {}
        self.calls = 0

    def replaced(self):
        if self.function is None or _gettrace() == self.function:
            return False
        _settrace(self.function)
        return True
