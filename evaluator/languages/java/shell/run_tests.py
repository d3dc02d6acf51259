"""Run test files in a shell: `run-tests FILE... [METHOD...]`.

What differs from the base commit is compiled first. The tests of the files are run, and the
outcomes of all of them, or of the methods that are named, are printed. The exit code is 0 where
these passed or were skipped, 1 where not, and 2 where there is no such file. `run.py`, which this
starts, and its second argument `environment.json` lie in the directory above.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
USAGE = "usage: run-tests FILE... [METHOD...], for example: run-tests src/test/java/a/BTest.java c"
NOTHING = "no test ran: no such method, no test in the file, or the virtual machine ended"


def main() -> int:
    """Run what the command line names."""
    files = [word for word in sys.argv[1:] if word.endswith(".java")]
    methods = {word for word in sys.argv[1:] if word not in files}
    absent = [file for file in files if not Path(file).is_file()]
    if absent or not files:
        sys.stderr.write(f"there is no file {absent[0]}\n" if absent else f"{USAGE}\n")
        return 2
    events = list(run([Path(file).resolve().relative_to(Path.cwd()) for file in files]))
    shown = [event for event in events if is_shown(event, methods)]
    sys.stdout.write("".join(f"{described(event)}\n" for event in shown) or f"{NOTHING}\n")
    return 0 if shown and all(is_good(event) for event in shown) else 1


def run(files: list[Path]) -> Iterator[dict[str, Any]]:
    """The events that the probe reports, see `evaluator.probe_results`."""
    with tempfile.TemporaryDirectory() as directory:
        spec = {"tree": str(Path.cwd()), "files": list(map(str, files)), "record": "nothing"}
        Path(directory, "spec.json").write_text(
            json.dumps({**spec, "traced": {}, "only": [], "without": [], "seed": 0})
        )
        inbox, outlet = socket.socketpair()
        inbox.shutdown(socket.SHUT_WR)
        environment = (HERE / "environment.json").read_text()
        command = [sys.executable, "-I", "-S", "-B", str(HERE / "run.py"), directory, environment]
        with (
            subprocess.Popen(command, stdin=outlet.fileno()) as child,
            inbox.makefile("rb") as lines,
        ):
            outlet.close()
            for line in lines:
                yield json.loads(line)
            child.wait()


def is_shown(event: dict[str, Any], methods: set[str]) -> bool:
    """Whether an event is the outcome of a test that is asked for, or of all."""
    if event["event"] == "abort":
        return True
    if event["event"] != "outcome":
        return False
    method = event["test"].partition("[")[0].rpartition("::")[2].partition("#")[0]
    return not methods or method in methods or event["phase"] == "collection"


def is_good(event: dict[str, Any]) -> bool:
    """Whether a test passed, or was skipped."""
    return event["event"] == "outcome" and event["status"] in ("passed", "skipped")


def described(event: dict[str, Any]) -> str:
    """An outcome in a line, and what failed below it."""
    failure = event["failure"]
    name = event.get("test", "nothing could run")
    head = f"{event.get('status', 'error').upper()} {name}"
    if failure is None:
        return head
    said = f"{failure['type']}: {failure['message']}".strip(": ")
    place = "at {}:{} in {}".format(*failure["frame"]) if failure["frame"] else ""
    return "\n".join([head, *(f"    {line}" for line in [*said.splitlines(), place] if line)])


if __name__ == "__main__":
    sys.exit(main())
