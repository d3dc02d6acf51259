"""Runs the checks of shell scripts one by one, each in a bash of its own, and reports how it ended.

`python3 -I -S supervise.py DIRECTORY`: reads `spec.json` and `key` there, writes `results.jsonl` as
`evaluator.probe_results` reads it. Which lines run comes from bash's own trace.
"""

import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CHECK = re.compile(r"^(check_\w+)\(\)", re.MULTILINE)
TRACED = re.compile(r"^\++(?P<path>[^:]+):(?P<line>\d+):", re.MULTILINE)
SCRIPT = """
exec 9>"$1"; BASH_XTRACEFD=9; PS4='+${BASH_SOURCE}:${LINENO}:'
set -ex
. "./$2"
"$3"
"""
SKIPPED = 77


class Ledger:
    """The results file; each line is numbered and signed.

    `totals` counts the executions of traced lines in the whole run: path -> line -> number.
    """

    def __init__(self, directory):
        self.key = (directory / "key").read_bytes()
        (directory / "key").unlink()
        self.path = directory / "results.jsonl"
        self.count = 0
        self.totals = collections.defaultdict(collections.Counter)

    def add(self, **event):
        line = json.dumps(event).encode()
        numbered = b"%d %s" % (self.count, line)
        signature = hashlib.blake2b(numbered, key=self.key, digest_size=32).hexdigest()
        with self.path.open("ab") as file:
            file.write(b"%s %s\n" % (signature.encode(), line))
        self.count += 1


def main(directory):
    spec = json.loads((directory / "spec.json").read_text())
    ledger = Ledger(directory)
    os.chdir(spec["tree"])
    for path in spec["files"]:
        for name in CHECK.findall(Path(path).read_text()):
            test = f"{path}::{name}"
            if test not in spec["without"] and (not spec["only"] or test in spec["only"]):
                run(ledger, spec, test, path, name)
    ledger.add(event="end", exit_code=0)


def run(ledger, spec, test, path, name):
    ledger.add(event="start", test=test, file=path)
    with tempfile.NamedTemporaryFile() as trace:
        command = ["bash", "-c", SCRIPT, "bash", trace.name, path, name]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        lines = counted(Path(trace.name).read_text(errors="replace"))
    report_lines(ledger, spec, test, lines)
    message = done.stderr.decode(errors="replace").strip()
    passed = done.returncode in (0, SKIPPED)
    ledger.add(
        event="outcome",
        test=test,
        file=path,
        status={0: "passed", SKIPPED: "skipped"}.get(done.returncode, "failed"),
        phase="call",
        failure=None if passed else {"type": "CheckFailed", "message": message},
    )


def counted(trace):
    """How often each line of each script ran."""
    counts = collections.defaultdict(collections.Counter)
    for match in TRACED.finditer(trace):
        counts[os.path.normpath(match["path"])][match["line"]] += 1
    return counts


def report_lines(ledger, spec, test, counts):
    for path, lines in counts.items():
        traced = {str(line) for line in spec["traced"].get(path, ())}
        ledger.totals[path].update({n: times for n, times in lines.items() if n in traced})
        hits = {n: ledger.totals[path][n] for n in lines if n in traced}
        if hits:
            ledger.add(event="hits", test=test, lines={path: hits})
        if spec["record"] == "lines":
            ledger.add(event="executed", test=test, path=path, lines=sorted(map(int, lines)))
    if spec["record"] == "functions":  # The trace names lines; which function is in none is unsaid.
        ledger.add(event="unseen", test=test)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
