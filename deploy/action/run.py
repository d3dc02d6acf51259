"""The step of the action that verifies: annotations, the job's summary, outputs, and the exit code.

Runs with the standard library alone; `fixgate` is a command on the PATH. GitHub's side of it:
https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

VERDICTS = {0: "accept", 1: "reject", 3: "cannot-tell"}
"""By exit code of `fixgate verify`; any other means that nothing was judged."""
FAILING = {"reject": {"reject"}, "cannot-tell": {"reject", "cannot-tell"}, "nothing": set[str]()}
LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def main() -> int:
    """Verify, report, and return the exit code of the step."""
    inputs = os.environ
    gate = inputs["INPUT_FAIL_ON"]
    if gate not in FAILING:
        _say(f"::error::fail-on is {gate!r}; write one of {', '.join(FAILING)}")
        return 2
    reports = Path(inputs["RUNNER_TEMP"]) / "fixgate-reports"
    reports.mkdir(exist_ok=True)
    sarif, junit, summary = (reports / n for n in ("fixgate.sarif", "fixgate.xml", "summary.md"))
    command = [*_command(inputs), f"--sarif={sarif}", f"--junit={junit}", f"--markdown={summary}"]
    code = subprocess.run(command, check=False).returncode
    verdict = VERDICTS.get(code, "unusable")
    _append(inputs["GITHUB_OUTPUT"], f"verdict={verdict}\nsarif={sarif}\njunit={junit}\n")
    if verdict == "unusable":
        _say("::error::fixgate could not judge this change; its message stands above")
        return code
    _say("\n".join(_annotations(json.loads(sarif.read_text("utf-8")))))
    _append(inputs["GITHUB_STEP_SUMMARY"], summary.read_text("utf-8"))
    return code if verdict in FAILING[gate] else 0


def _command(inputs: Mapping[str, str]) -> Iterator[str]:
    yield from ("fixgate", "verify", f"--base={inputs['INPUT_BASE']}")
    yield f"--head={inputs['INPUT_HEAD']}"
    yield from (f"--tests={path}" for path in inputs["INPUT_TESTS"].split("\n") if path.strip())
    if inputs["INPUT_ISSUE"]:
        yield f"--issue={inputs['INPUT_ISSUE']}"
    yield from (line.strip() for line in inputs["INPUT_ARGUMENTS"].split("\n") if line.strip())


def _annotations(log: Mapping[str, object]) -> Iterator[str]:
    """One command for each result; what it says can neither end the command nor begin another."""
    for run in log["runs"]:  # type: ignore[attr-defined]
        for result in run["results"]:
            place = result["locations"][0]["physicalLocation"]
            path = (
                _escaped(place["artifactLocation"]["uri"]).replace(":", "%3A").replace(",", "%2C")
            )
            first, last = place["region"]["startLine"], place["region"]["endLine"]
            where = f"file={path},line={first},endLine={last},title=fixgate"
            yield f"::{LEVELS[result['level']]} {where}::{_escaped(result['message']['text'])}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _append(file: str, text: str) -> None:
    with Path(file).open("a", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    sys.exit(main())
