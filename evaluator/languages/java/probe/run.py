"""Compile what changed, then become the virtual machine that runs the tests.

`python -I -S -B run.py DIRECTORY ENVIRONMENT`: DIRECTORY holds `spec.json`, and ENVIRONMENT is a
JSON object: `java` (the program), `compiler` (its options for compiling), `probe` (our jar),
`project` (how everything is compiled and run), `base` (the classes of the base commit), `launcher`
(the JUnit Platform), `libraries` (the end of the class path), `options` of the virtual machine for
tests, `compiled` (the compiler's report, "" where this process is to compile), `main` (the class
that runs the tests).
This process and the one that it becomes have the same id, by which the supervisor knows who writes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

MACHINE = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-ea")
CHANNEL = 0


def main() -> int:
    """Report what does not compile; without an error in the code, run the rest."""
    directory, environment = Path(sys.argv[1]), json.loads(sys.argv[2])
    spec = json.loads((directory / "spec.json").read_text())
    report = compiled(directory, environment, spec["tree"])
    if problem := of_the_code(report):
        send({"event": "abort", "failure": failure(problem)})
        send({"event": "end", "exit_code": 1})
        return 1
    for path in spec["files"]:
        if error := error_of(path, report):
            send(collection(path, error))
    become(directory, environment, report)
    return 1


def compiled(directory: Path, environment: dict[str, Any], tree: str) -> dict[str, Any]:
    """The compiler's report."""
    if environment["compiled"]:
        return brought(Path(environment["compiled"]), directory, tree)
    report = directory / "compiled.json"
    command = [
        environment["java"],
        *environment["compiler"],
        "-cp",
        environment["probe"],
        "fixgate.compile.Main",
        environment["project"],
        tree,
        environment["base"],
        str(directory / "classes"),
        str(report),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        return {"broken": {"": f"the compiler ended with {done.returncode}"}, "units": []}
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def brought(report: Path, directory: Path, tree: str) -> dict[str, Any]:
    """The report of what was compiled before, as if here: code can see where its classes lie."""
    classes, here = report.parent / "classes", directory / "classes"
    if classes.is_dir():
        shutil.copytree(classes, here, symlinks=True)
    text = json.dumps(json.loads(report.read_text()))
    for old, new in ((json.loads(text)["tree"], tree), (str(classes), str(here))):
        text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    (directory / "compiled.json").write_text(text)
    moved: dict[str, Any] = json.loads(text)
    return moved


def of_the_code(report: dict[str, Any]) -> str:
    """The first error outside of the tests, "" without any: nothing can run then."""
    roots = [root for unit in report["units"] if unit["test"] for root in unit["roots"]]
    tests = tuple(f"{root}/" if root else "" for root in roots)
    outside = [text for path, text in report["broken"].items() if not path.startswith(tests)]
    return outside[0] if outside else ""


def error_of(file: str, report: dict[str, Any]) -> str:
    """Why a test file is not compiled, or its unit is not as a whole; "" where it is."""
    units = (unit for unit in report["units"] if holds_any(unit, [file]))
    whole = next((f"{unit['roots'][0]}/" for unit in units), "")
    found: str = report["broken"].get(file) or report["broken"].get(whole, "")
    return found


def become(directory: Path, environment: dict[str, Any], report: dict[str, Any]) -> None:
    """Replace this process by the virtual machine, in the directory of the tests' module."""
    spec = json.loads((directory / "spec.json").read_text())
    files = [file for file in spec["files"] if not error_of(file, report)]
    units = [unit for unit in report["units"] if holds_any(unit, files)]
    places = [part for unit in units for part in unit["classpath"].split(os.pathsep)]
    first, last = [environment["probe"], *environment["launcher"]], environment["libraries"]
    parts = dict.fromkeys([*first, *places, *last])
    settings = settings_of(environment, units[0], spec["tree"]) if units else []
    command = [
        environment["java"],
        *MACHINE,
        *loaded_from(environment["archives"]),
        *settings,
        *environment["options"],
        f"-javaagent:{environment['probe']}={directory}/spec.json",
        "-cp",
        os.pathsep.join(parts),
        environment["main"],
        str(directory / "spec.json"),
        str(directory / "compiled.json"),
    ]
    if units:
        lay_resources(environment, units[0]["directory"], Path(spec["tree"]))
        os.chdir(Path(spec["tree"], units[0]["directory"]))
    os.execv(command[0], command)  # noqa: S606


def loaded_from(archives: list[str]) -> list[str]:
    """Options for an archive of classes; where others do not go with it, not a word on it."""
    options = [f"-XX:SharedArchiveFile={archive}" for archive in archives]
    return [*options, "-Xlog:cds*=off"] if options else []


def settings_of(environment: dict[str, Any], unit: dict[str, Any], tree: str) -> list[str]:
    """What the project gives the virtual machine of its tests; variables are set at once."""
    project = json.loads(Path(environment["project"]).read_text())
    (found,) = (each for each in project["units"] if each["name"] == unit["name"])
    for name, value in found["variables"].items():
        os.environ.setdefault(name, value.replace("{tree}", tree))
    directory = str(Path(tree, unit["directory"]))
    return [
        f"-Dbasedir={directory}",
        *(option.replace("{tree}", tree) for option in found["machine"]),
    ]


def lay_resources(environment: dict[str, Any], directory: str, tree: Path) -> None:
    """Link a module's resources to where Maven puts them: many tests read them there by path.

    The directories are there without resources, too: many tests write into `target`.
    """
    project = json.loads(Path(environment["project"]).read_text())
    for unit in project["units"]:
        if unit["directory"] == directory and unit.get("output"):
            output = tree / unit["output"]
            output.mkdir(parents=True, exist_ok=True)
            for path in unit["resources"]:
                link_into(output, tree / path)


def link_into(output: Path, place: Path) -> None:
    """Link what lies in a directory into another one, but for what is there."""
    if not place.is_dir() or output.is_relative_to(place):
        return
    for path in place.iterdir():
        link = output / path.name
        if not os.path.lexists(link):
            link.symlink_to(path)
        elif path.is_dir() and link.is_dir() and not link.is_symlink():
            link_into(link, path)


def holds_any(unit: dict[str, Any], files: list[str]) -> bool:
    """Whether one of these files is among the tests of a unit."""
    roots = tuple(f"{root}/" if root else "" for root in unit["roots"])
    return unit["test"] and any(file.startswith(roots) for file in files)


def collection(path: str, error: str) -> dict[str, Any]:
    """A file that does not compile."""
    return {
        "event": "outcome",
        "test": path,
        "file": path,
        "status": "error",
        "phase": "collection",
        "failure": failure(error),
        "duration": 0.0,
    }


def failure(error: str) -> dict[str, Any]:
    """What the compiler says, as a failure."""
    return {"type": "CompilationError", "message": error[:4000], "frame": None}


def send(event: dict[str, Any]) -> None:
    """Report one event to the supervisor."""
    os.write(CHANNEL, json.dumps(event).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
