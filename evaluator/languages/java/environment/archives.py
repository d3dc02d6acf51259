"""The archive with which the virtual machine of tests starts in two thirds of the time."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from evaluator.environment.tools import BUILD_LIMITS, at_own_path, run_command
from evaluator.languages.java.environment.compiler import Compiler
from evaluator.languages.java.environment.tools import ARCHIVE, Tools
from evaluator.languages.java.probe.run import MACHINE
from evaluator.sandbox.protocol import Command
from evaluator.storage.keys import short_key

_EXAMPLES = ("fixgate/run/Example.java", "fixgate/run/EarlierExample.java")


def archive_of_tests(
    tools: Tools, compiler: Compiler, launcher: Sequence[Path]
) -> tuple[Path, ...]:
    """What is loaded to run examples of our own, for our jar and a JUnit Platform.

    Nothing where the JDK makes none. Class paths of runs begin with those jars, in this order, or
    it is of no use: https://docs.oracle.com/en/java/javase/17/vm/class-data-sharing.html.
    """
    if not compiler.archives:
        return ()
    class_path = (compiler.probe, *launcher)

    def make(place: Path) -> None:
        command = Command(
            argv=(
                str(compiler.jdk.java),
                *MACHINE,
                f"-XX:ArchiveClassesAtExit={place / ARCHIVE}",
                *("-cp", os.pathsep.join(map(str, class_path)), "fixgate.run.Archiving"),
                *_described(place),
            ),
            directory=str(place),
            mounts=(
                *map(at_own_path, (*compiler.visible, *class_path)),
                at_own_path(place, writable=True),
            ),
            limits=BUILD_LIMITS,
            purpose="archiving",
        )
        run_command(tools.sandbox, command)

    key = short_key(str(compiler.jdk.home), compiler.jdk.version, [str(jar) for jar in class_path])
    return tools.archive(key, make)


def _described(place: Path) -> tuple[str, str]:
    """What a run of the examples gets: its specification, and a compiler's report."""
    run = {
        "tree": str(place),
        "files": _EXAMPLES,
        "only": (),
        "without": (),
        "seed": 1,
        "record": "nothing",
    }
    unit = {"test": True, "roots": [""], "classpath": os.pathsep.join([str(place)] * 2)}
    found = {"run.json": run, "compiled.json": {"broken": {}, "units": [unit]}}
    for name, content in found.items():
        (place / name).write_text(json.dumps(content), encoding="utf-8")
    return str(place / "run.json"), str(place / "compiled.json")
