"""The compiler of a JDK, run by our jar, and the archive with which it starts in half the time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import BUILD_LIMITS, at_own_path, run_command
from evaluator.languages.java.environment.jdk import Jdk
from evaluator.languages.java.environment.opened import LAST_OPEN, open_packages
from evaluator.languages.java.environment.tools import ARCHIVE, Tools
from evaluator.languages.java.runner import PROBE
from evaluator.sandbox.protocol import Command, Sandbox
from evaluator.storage.keys import short_key

_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx2g", "-Xss64m")
"""Of the virtual machine: nothing that compiles runs long enough for its best compiler, and chains
of a thousand calls need a deep stack."""
_OLDEST = 13
"""The first JDK that writes an archive of the classes that were loaded when it ends."""


@dataclass(frozen=True)
class Compiler:
    """What compiles sources: a JDK, our jar, and options of the virtual machine."""

    jdk: Jdk
    probe: Path
    options: tuple[str, ...]
    archives: tuple[Path, ...] = ()

    @property
    def visible(self) -> tuple[Path, ...]:
        """What a sandbox has to show of the host."""
        return *self.jdk.visible, self.probe.parent, *self.archives

    def run(
        self, sandbox: Sandbox, arguments: Sequence[Path], *, place: Path, visible: Sequence[Path]
    ) -> None:
        """Compile as `fixgate.compile.Main` describes, with `place` writable. Raises ToolError."""
        shown = map(at_own_path, (*self.visible, *visible))
        command = Command(
            argv=compiling(self.jdk.java, self.options, self.probe, arguments),
            directory=str(place),
            mounts=(*shown, at_own_path(place, writable=True)),
            limits=BUILD_LIMITS,
            purpose="compiling",
        )
        run_command(sandbox, command)


def compiling(
    java: Path, options: Sequence[str], probe: Path, arguments: Sequence[object]
) -> tuple[str, ...]:
    """The command of our jar that compiles as `fixgate.compile.Main` describes."""
    main = ("-cp", str(probe), "fixgate.compile.Main")
    return (str(java), *options, *main, *map(str, arguments))


def find_compiler(tools: Tools, jdk: Jdk) -> Compiler:
    """The compiler of a JDK, with an archive that is made once where the JDK can.

    What is loaded for compiling our own sources is archived:
    https://docs.oracle.com/en/java/javase/17/vm/class-data-sharing.html. Raises ToolError where our
    jar cannot be made.
    """
    frameworks = tools.frameworks
    chosen = (
        *_OPTIONS,
        *_open_to_processors(jdk),
        *(f"-Xbootclasspath/a:{jar}" for jar in jdk.compiler_library),
    )
    plain = Compiler(jdk, tools.probe(), chosen)
    if jdk.version < _OLDEST:
        return plain

    def make(place: Path) -> None:
        project, classes = place / "project.json", place / "classes"
        project.write_text(json.dumps(_own_project((plain.probe, *frameworks))), encoding="utf-8")
        archiving = f"-XX:ArchiveClassesAtExit={place / ARCHIVE}"
        compiler = Compiler(jdk, plain.probe, (*chosen, archiving))
        arguments = (project, PROBE / "src", classes, classes, place / "report.json")
        compiler.run(tools.sandbox, arguments, place=place, visible=(PROBE, *frameworks))

    key = short_key(str(jdk.home), jdk.version, chosen, str(plain.probe))
    archives = tools.archive(key, make)
    options = (*chosen, *(f"-XX:SharedArchiveFile={archive}" for archive in archives))
    return Compiler(jdk, plain.probe, options, archives)


def _open_to_processors(jdk: Jdk) -> tuple[str, ...]:
    """Options by which annotation processors see what they could, as a project may ask for, too.

    It does so for a compiler in a process of its own, by `-J--add-opens` or Maven's jvm.config
    (seen in Immutables, whose processor defines classes by its parser's library).
    """
    return open_packages(LAST_OPEN, jdk.version) if jdk.version > LAST_OPEN else ()


def _own_project(class_path: Sequence[Path]) -> object:
    unit = {
        "name": "probe",
        "test": False,
        "directory": "",
        "roots": [""],
        "resources": [],
        "classpath": [str(jar) for jar in class_path],
        "options": ["-source", "8", "-target", "8", "-nowarn", "-Xlint:none"],
    }
    return {"encoding": "UTF-8", "units": [unit]}
