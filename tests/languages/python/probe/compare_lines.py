"""Execute a file twice, under sys.settrace and with counters, and print both as JSON.

    python compare_lines.py PROBE FILE [DRIVER]

The file, or the text DRIVER that is executed in its namespace, may define `calls`: each is called
in turn. What is compared is what happens in each of these steps, the first being the file itself:
the lines that rose, and the result. Runs under every interpreter that the probe supports.
"""

import json
import sys

PROBE, SOURCE = sys.argv[1:3]
DRIVER = sys.argv[3] if len(sys.argv) > 3 else ""


class Tracer:
    """Counts line events of the file, as the standard library's `trace` does."""

    def __init__(self):
        self.counts = {}
        self.reported = {}

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename == SOURCE:
            return self.local
        return None

    def local(self, frame, event, argument):
        if event == "line":
            self.counts[frame.f_lineno] = self.counts.get(frame.f_lineno, 0) + 1
        return self.local

    def risen(self):
        risen = {line: n for line, n in self.counts.items() if self.reported.get(line) != n}
        self.reported = dict(self.counts)
        return risen


def steps(code, risen, tracer=None):
    """[result, {line: executions so far}] of each step."""
    names = {"__name__": "compared", "__file__": SOURCE}
    sys.modules["compared"] = type(sys)("compared")
    sys.modules["compared"].__dict__.update(names)
    names = sys.modules["compared"].__dict__

    def execute():
        exec(code, names)
        exec(DRIVER, names)

    told = [[outcome(execute, tracer), risen()]]
    for call in names.get("calls", ()):
        told.append([outcome(call, tracer), risen()])
    return told


def outcome(call, tracer):
    sys.settrace(tracer)
    try:
        return repr(call())
    except Exception as error:
        return repr((type(error), str(error), lines_of(error.__traceback__)))
    finally:
        sys.settrace(None)


def lines_of(trace):
    lines = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == SOURCE:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines


def risen_in(counters):
    return next(iter(counters.risen().values()), {})


def main():
    sys.path.insert(0, PROBE)
    import fixgate_probe_hits as hits

    with open(SOURCE, "rb") as file:  # noqa: PTH123
        text = file.read()
    directory, _, name = SOURCE.rpartition("/")
    counters = hits.Counters(directory, {name: range(1, text.count(b"\n") + 2)})
    problems = []
    counters.untraced = lambda path, reason: problems.append(reason)
    tracer = Tracer()
    traced = steps(compile(text, SOURCE, "exec", 0, True), tracer.risen, tracer)
    counted = steps(counters.compile(text, SOURCE, "exec"), lambda: risen_in(counters))
    json.dump({"traced": traced, "counted": counted, "problems": problems}, sys.stdout)


main()
