"""JaCoCo, and what reads its recordings. See https://www.jacoco.org/jacoco/trunk/doc/api.html."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import BUILD_LIMITS, at_own_path, run_command
from evaluator.languages.java.environment.compiler import find_compiler
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, Jdk, released
from evaluator.languages.java.environment.tools import Tools
from evaluator.sandbox.protocol import Command, Sandbox
from evaluator.storage.keys import digest_of, short_key
from evaluator.storage.once import make_once

JACOCO = "0.8.14"
RECORDED = ".fixgate-coverage"
"""The file in a run's tree that the probe writes."""
_SOURCES = Path(__file__).parent / "src"
_CLASSES = 100_000
"""Bytes that the names of recorded classes may take: an argument has 128 KiB at most."""


@dataclass(frozen=True)
class MethodCoverage:
    """How much of a method was covered: (covered, all), once by chosen tests, once by all.

    `descriptor` is the method's in the virtual machine, such as `(I)V`.
    """

    lines: tuple[int, int]
    branches: tuple[int, int]
    lines_by_all: tuple[int, int]
    branches_by_all: tuple[int, int]
    descriptor: str


@dataclass(frozen=True)
class CoveredBy:
    """A method of a class (binary name), and the names of the tests whose coverage counts."""

    id: str
    class_name: str
    name: str
    parameters: Sequence[str]
    tests: Sequence[str]


@dataclass(frozen=True)
class CoverageTool:
    """The agent's jar, and the class path of what reads its recordings."""

    java: Path
    agent: Path
    class_path: tuple[Path, ...]
    jdk: tuple[Path, ...]

    @property
    def visible(self) -> tuple[Path, ...]:
        """What a sandbox has to show of the host."""
        return self.agent, *self.class_path

    def options(self, classes: Sequence[str]) -> tuple[str, ...]:
        """Options of a virtual machine that records some classes, given by their binary names."""
        included = ":".join(classes)
        chosen = f",includes={included}" if len(included) < _CLASSES else ""
        return (f"-javaagent:{self.agent}=output=none{chosen}",)

    def measure(
        self,
        sandbox: Sandbox,
        place: Path,
        recorded: Sequence[Path],
        classes: Sequence[Path],
        methods: Sequence[CoveredBy],
    ) -> Mapping[str, MethodCoverage]:
        """The coverage of those methods that have code, by their ids.

        `recorded` are files in `place`, which may be written to; `classes` are directories. Raises
        ToolError.
        """
        spec, report = place / "coverage-spec.json", place / "coverage.json"
        spec.write_text(json.dumps(_specification(recorded, classes, methods)), encoding="utf-8")
        main = ("-cp", os.pathsep.join(map(str, self.class_path)), "fixgate.cover.Main")
        shown = (*self.jdk, *self.class_path, *classes)
        command = Command(
            argv=(str(self.java), "-XX:+UseSerialGC", *main, str(spec), str(report)),
            directory=str(place),
            mounts=(*map(at_own_path, shown), at_own_path(place, writable=True)),
            limits=BUILD_LIMITS,
        )
        run_command(sandbox, command)
        return _read(report)


def _specification(
    recorded: Sequence[Path], classes: Sequence[Path], methods: Sequence[CoveredBy]
) -> object:
    wanted = [
        {
            "id": each.id,
            "class": each.class_name,
            "name": each.name,
            "parameters": list(each.parameters),
            "tests": list(each.tests),
        }
        for each in methods
    ]
    files, places = [str(path) for path in recorded], [str(path) for path in classes]
    return {"recorded": files, "classes": places, "methods": wanted}


def _read(report: Path) -> Mapping[str, MethodCoverage]:
    found = json.loads(report.read_text(encoding="utf-8"))
    return {
        name: MethodCoverage(
            lines=_pair(row["lines"]),
            branches=_pair(row["branches"]),
            lines_by_all=_pair(row["lines_by_all"]),
            branches_by_all=_pair(row["branches_by_all"]),
            descriptor=row["descriptor"],
        )
        for name, row in found.items()
    }


def _pair(counts: Sequence[int]) -> tuple[int, int]:
    covered, every = counts
    return covered, every


def find_tool(tools: Tools, jdk: Jdk) -> CoverageTool:
    """The tool, brought and compiled once. Raises ToolError."""
    (agent,) = (jar for jar in tools.jars([("org.jacoco", "org.jacoco.agent", JACOCO)]))
    core = tools.jars([("org.jacoco", "org.jacoco.core", JACOCO)])
    probe = find_compiler(tools, jdk).probe
    seen = (probe, *core)

    def make(place: Path) -> None:
        place.mkdir()
        with zipfile.ZipFile(agent) as archive:
            archive.extract("jacocoagent.jar", place)
        sources = sorted(_SOURCES.rglob("*.java"))
        options = (*released(OLDEST_LEVEL, tools.maven.jdk.version), "-Xlint:none")
        tools.compile(sources, place / "classes", options, seen, (_SOURCES, *seen))

    key = short_key(digest_of(sorted(_SOURCES.rglob("*.java"))), JACOCO, str(probe))
    made = make_once(tools.cache / "java" / "coverage", key, make)
    return CoverageTool(
        jdk.java, made / "jacocoagent.jar", (made / "classes", *seen), tuple(jdk.visible)
    )
