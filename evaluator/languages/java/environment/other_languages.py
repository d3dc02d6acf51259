"""Code in other languages beside Java's, which plug-ins of Maven compile.

Java's code may use theirs and they Java's: their classes stand in each tree as what plug-ins make.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from evaluator.languages.java.environment.pom import goals, plugins, text

_COMPILERS = frozenset({"kotlin-maven-plugin", "gmavenplus-plugin", "scala-maven-plugin"})
STUBS = "/groovy-stubs/"
"""In the path of what stands in for Groovy's classes while Java's compiler runs, and does nothing.

https://groovy.github.io/GMavenPlus/generateStubs-mojo.html
"""
_COMPILING = frozenset({"compile", "test-compile"})
"""Goals of these plug-ins that compile what code and tests in Java use, named as their phases.

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
    found = (goals(plugin) for plugin in plugins(pom) if text(plugin, "artifactId") in _COMPILERS)
    return frozenset().union(*(_COMPILING & (named or {"compile"}) for named in found))


def roots_of_others(pom: ET.Element, *, test: bool) -> Iterator[str]:
    """Directories of a module with Groovy in which Java's compiler is to look for sources, too."""
    goal = "addTestSources" if test else "addSources"
    root = "src/test/groovy" if test else "src/main/groovy"
    return (root for plugin in plugins(pom, "gmavenplus-plugin") if goal in goals(plugin))


def is_of_another_language(file: Path) -> bool:
    """Whether a class was compiled from something else than Java, as it says itself."""
    named = _SOURCE.findall(file.read_bytes())
    kinds = {Path(name.decode()).suffix for length, name in named if ord(length) == len(name)}
    return bool(kinds) and ".java" not in kinds
