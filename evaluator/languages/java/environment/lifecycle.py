"""Which of a project's own plug-ins have to run before its tests, and up to which phase.

Phases: https://maven.apache.org/guides/introduction/introduction-to-the-lifecycle.html.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaluator.environment.tools import regular_files

PHASES = (
    *("generate-sources", "process-sources", "generate-resources", "process-resources", "compile"),
    *("process-classes", "generate-test-sources", "process-test-sources"),
    *("generate-test-resources", "process-test-resources", "test-compile", "process-test-classes"),
)
_FILTERING = "process-test-resources"
_COMPILES = PHASES.index("compile")
_GENERATING = frozenset(
    {"generate-sources", "process-sources", "generate-resources", "generate-test-sources"}
)
_GENERATORS = frozenset(
    {"antlr3-maven-plugin", "antlr4-maven-plugin", "javacc-maven-plugin", "jflex-maven-plugin"}
    | {"templating-maven-plugin", "replacer", "protobuf-maven-plugin", "modello-maven-plugin"}
)
_PLAIN = frozenset(
    {"maven-enforcer-plugin", "jacoco-maven-plugin", "buildnumber-maven-plugin"}
    | {"maven-antrun-plugin", "maven-remote-resources-plugin", "apache-rat-plugin"}
)
_RUNNERS = frozenset(
    {"maven-antrun-plugin", "exec-maven-plugin", "gmavenplus-plugin", "groovy-maven-plugin"}
)
"""What runs code of the project, which may write data that its tests need."""
_OLD_LEVEL = re.compile(
    r"<(source|target|testSource|testTarget|maven\.compiler?\.(?:source|target))>\s*"
    r"(?:1\.[1-7]|[5-7])\s*</\1>"
)
_SPACE = "{http://maven.apache.org/POM/4.0.0}"


def phase_needed(poms: Sequence[ET.Element], *, modules: bool) -> str:
    """The last phase that has to run, "" where none has; `poms` are effective ones.

    Where there are `modules`, they see each other only once they are compiled.
    """
    wanted = [phase for pom in poms for phase in _wanted(pom)]
    if not wanted:
        return ""
    least = "compile" if modules else "process-resources"
    return PHASES[max(PHASES.index(phase) for phase in (*wanted, least))]


def is_reached(phase: str, end: str) -> bool:
    """Whether a build up to `end` runs a phase; "" is no build, and no phase."""
    order = ("", *PHASES)
    return order.index(phase) <= order.index(end)


def _wanted(pom: ET.Element) -> Iterator[str]:
    if pom.find(f"{_SPACE}build/{_SPACE}extensions/{_SPACE}extension") is not None:
        yield "process-resources"
    for kind in ("resource", "testResource"):
        filtering = pom.iterfind("/".join(f"{_SPACE}{step}" for step in _steps(kind)))
        if any(element.text == "true" for element in filtering):
            yield _FILTERING
    for plugin in pom.iterfind(f"{_SPACE}build/{_SPACE}plugins/{_SPACE}plugin"):
        name = plugin.findtext(f"{_SPACE}artifactId") or ""
        phases = {phase.text or "" for phase in plugin.iter(f"{_SPACE}phase")}
        yield from (phase for phase in phases.intersection(PHASES) if _matters(name, phase))
        if name in _GENERATORS:
            yield "generate-sources"


def _steps(kind: str) -> tuple[str, ...]:
    return "build", f"{kind}s", kind, "filtering"


def _matters(plugin: str, phase: str) -> bool:
    if plugin in _RUNNERS and PHASES.index(phase) >= _COMPILES:
        return True
    return plugin not in _PLAIN and phase in _GENERATING


def raise_levels(tree: Path) -> None:
    """Have old sources compiled as 8, the oldest level that every JDK of today compiles."""
    for name in regular_files(tree):
        if Path(name).name == "pom.xml":
            before = (tree / name).read_bytes().decode("latin-1")
            after = _OLD_LEVEL.sub(r"<\1>8</\1>", before)
            if after != before:
                (tree / name).write_bytes(after.encode("latin-1"))
