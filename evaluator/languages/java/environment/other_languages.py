"""Code in other languages beside Java's, which plug-ins of Maven compile.

Java's code may use theirs and they Java's: their classes stand in each tree as what plug-ins make.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluator.languages.java.environment.pom import elements, plugins, text

_COMPILERS = frozenset({"kotlin-maven-plugin", "gmavenplus-plugin", "scala-maven-plugin"})
_ROOTS: Mapping[str, str] = {"addSources": "src/main/groovy", "addTestSources": "src/test/groovy"}
"""Goals that have Java's compiler look for sources beside Groovy's, and where."""
STUBS = "/groovy-stubs/"
"""In the path of what stands in for Groovy's classes while Java's compiler runs, and does nothing.

https://groovy.github.io/GMavenPlus/generateStubs-mojo.html
"""
_PHASES: Mapping[str, str] = {"compile": "compile", "test-compile": "test-compile"}
"""The goals of these plug-ins that compile what code and tests in Java use.

Tests in Groovy and Scala (Spock, ScalaTest) are for frameworks of their own, and no part of others.
"""
_SOURCE = re.compile(rb"\x01\x00(.)([\w$-]+\.(?:java|kts?|groovy|scala))", re.DOTALL)
"""A text in the pool of constants that is the name of a source, behind its length.

https://docs.oracle.com/javase/specs/jvms/se25/html/jvms-4.html#jvms-4.4.7
"""


def phases_of_others(pom: ET.Element) -> frozenset[str]:
    """The phases in which a plug-in compiles code that is no Java: `compile`, `test-compile`.

    Goals that a pom does not name may stand in its parent's.
    """
    found = (_phases(plugin) for plugin in plugins(pom) if text(plugin, "artifactId") in _COMPILERS)
    return frozenset().union(*found)


def roots_of_others(pom: ET.Element, *, test: bool) -> Iterator[str]:
    """Directories of a module, with code in other languages, in which Java's lies, too."""
    for plugin in plugins(pom, "gmavenplus-plugin"):
        goals = _goals(plugin)
        yield from (
            root for goal, root in _ROOTS.items() if goal in goals and ("Test" in goal) == test
        )


def _goals(plugin: ET.Element) -> list[str]:
    named = elements(plugin, "executions", "execution", "goals", "goal")
    return [(goal.text or "").strip() for goal in named]


def _phases(plugin: ET.Element) -> set[str]:
    goals = _goals(plugin)
    return {_PHASES[goal] for goal in goals or ("compile",) if goal in _PHASES}


def classes_of_others(output: Path) -> tuple[Path, ...]:
    """The classes below a directory that were not compiled from Java."""
    return tuple(path for path in output.rglob("*.class") if _is_of_another_language(path))


def _is_of_another_language(file: Path) -> bool:
    """Whether a class was compiled from something else than Java, as it says itself."""
    named = _SOURCE.findall(file.read_bytes())
    kinds = {Path(name.decode()).suffix for length, name in named if ord(length) == len(name)}
    return bool(kinds) and ".java" not in kinds
