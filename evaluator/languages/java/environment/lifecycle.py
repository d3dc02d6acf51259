"""Which of a project's own plug-ins have to run before its tests, and up to which phase.

Phases: https://maven.apache.org/guides/introduction/introduction-to-the-lifecycle.html.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evaluator.languages.java.environment.other_languages import phases_of_others
from evaluator.languages.java.environment.pom import (
    BLOCK,
    edit_poms,
    elements,
    filters,
    goals_of_no_phase,
    phases,
    plugins,
    text,
)

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
_GENERATING_GOAL = re.compile(
    r"generat|javacc|jjtree|antlr|jflex|xjc|schema|wsimport|wsdl2java|protoc|\bidl|thrift|delombok",
    re.IGNORECASE,
)
"""Goals that write sources, most of them in a phase that only the plug-in's own jar tells."""
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
_ERROR_PRONE = ">javac-with-errorprone<"
_OTHER_COMPILER = re.compile(
    r"<(compilerId|forceJavacCompilerUse)>[^<]*</\1>|<dependencies>.*?</dependencies>", re.DOTALL
)


def phase_needed(poms: Sequence[ET.Element], *, modules: bool) -> str:
    """The last phase that has to run, "" where none has; `poms` are effective ones.

    Where there are `modules`, they see each other only once they are compiled.
    """
    wanted = [phase for pom in poms for phase in _wanted(pom)]
    if shares_tests(poms):
        wanted.append("test-compile")
    if not wanted:
        return ""
    least = "compile" if modules else "process-resources"
    return PHASES[max(PHASES.index(phase) for phase in (*wanted, least))]


def shares_tests(poms: Sequence[ET.Element]) -> bool:
    """Whether a module uses the test classes of another one of these.

    Maven finds them in a build that comes to them, whether or not anything is compiled there.
    """
    own = {text(pom, "artifactId") for pom in poms}
    dependencies = (each for pom in poms for each in elements(pom, "dependencies", "dependency"))
    return any(
        text(each, "artifactId") in own
        and (text(each, "type") == "test-jar" or text(each, "classifier") == "tests")
        for each in dependencies
    )


def needs_classes(poms: Iterable[ET.Element]) -> bool:
    """Whether a plug-in may need what the project itself has compiled; `poms` are effective ones.

    It may run that, or compile what uses it; or the project is a plug-in, which Maven describes by
    its classes.
    """
    return any(
        text(pom, "packaging") == "maven-plugin" or _runs_classes(pom) or phases_of_others(pom)
        for pom in poms
    )


def _runs_classes(pom: ET.Element) -> bool:
    return any(
        _needs_classes(text(plugin, "artifactId"), phase)
        for plugin in plugins(pom)
        for phase in phases(plugin).intersection(PHASES)
    )


def comes_before(phase: str, other: str) -> bool:
    """Whether a phase of the lifecycle, "" for the usual one of generators, is before another."""
    earlier = ("", "validate", "initialize", *PHASES[: PHASES.index(other)])
    return phase in earlier


def is_reached(phase: str, end: str) -> bool:
    """Whether a build up to `end` runs a phase; "" is no build, and no phase."""
    order = ("", *PHASES)
    return order.index(phase) <= order.index(end)


def _wanted(pom: ET.Element) -> Iterator[str]:
    if next(elements(pom, "build", "extensions", "extension"), None) is not None:
        yield "process-resources"
    if filters(pom, "resource") or filters(pom, "testResource"):
        yield _FILTERING
    yield from phases_of_others(pom)
    for plugin in plugins(pom):
        name = text(plugin, "artifactId")
        yield from (phase for phase in phases(plugin).intersection(PHASES) if _matters(name, phase))
        if name in _GENERATORS or any(map(_GENERATING_GOAL.search, goals_of_no_phase(plugin))):
            yield "generate-sources"


def _matters(plugin: str, phase: str) -> bool:
    return _needs_classes(plugin, phase) or (plugin not in _PLAIN and phase in _GENERATING)


def _needs_classes(plugin: str, phase: str) -> bool:
    return plugin in _RUNNERS and PHASES.index(phase) >= _COMPILES


def use_compilers_of_today(tree: Path) -> None:
    """Have old sources compiled as 8, the oldest level that every JDK of today compiles.

    By the JDK's compiler: one with Error Prone of old starts on the JDKs of its time only.
    """
    edit_poms(tree, lambda pom: BLOCK.sub(_by_the_jdk, _OLD_LEVEL.sub(r"<\1>8</\1>", pom)))


def _by_the_jdk(block: re.Match[str]) -> str:
    """A plug-in's block without the compiler that it names."""
    return _OTHER_COMPILER.sub("", block[0]) if _ERROR_PRONE in block[0] else block[0]
