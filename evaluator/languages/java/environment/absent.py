"""Dependencies and plug-ins that no repository has, and poms that do without them.

Maven resolves nothing of a module where one of its dependencies is gone, be it one that only
another dependency names. Where that leaves no module, what does not need it is built without it.
It builds nothing where a plug-in is gone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.pom import (
    BLOCK,
    edit_poms,
    element_text,
    own_artifacts,
)

_COORDINATES = r"([\w.-]+):([\w.-]+):((?:[\w.-]+:)+?[\w.-]+?)(?=:?(?:[\s,(]|$))"
"""Group, artifact, and what follows: the extension, perhaps a classifier, and the version."""
_ABSENT = re.compile(
    rf"Failed to read artifact descriptor for {_COORDINATES}[^\n]*?: Could not find artifact"
    rf"|Could not find artifact {_COORDINATES}"
    rf"|{_COORDINATES} was not found in \S+ during a previous attempt"
    r"|No versions available for ([\w.-]+):([\w.-]+):((?:[\w.-]+:)+[\[(][^\s\])]*[\])])"
    rf"|Could not transfer artifact {_COORDINATES} from/to [^\n]+ with type legacy\b"
)
"""Repositories of Maven 1 ("legacy") are out of reach for good."""
_OTHERS = re.compile(
    r"Plugin \S+ or one of its dependencies|Unresolve?able build extension"
    r"|Non-resolvable (?:parent|import) POM"
)
"""Lines about what is no dependency of a project."""
_PLUGIN = re.compile(
    r"Plugin ([\w.-]+):([\w.-]+):([\w.-]+) or one of its dependencies could not be resolved:"
    r"[^\n]{0,1000}? (?:Could not find artifact|was not found in) "
)
_FRAMEWORK = re.compile(r"junit|org\.junit(?:\..+)?|org\.testng")
"""Groups without which no test runs."""
_EXCLUSION = (
    "<exclusion><groupId>{0.group}</groupId><artifactId>{0.artifact}</artifactId></exclusion>"
)


@dataclass(frozen=True, order=True)
class Absent:
    """A dependency or plug-in that is left out; `rest` is what Maven says behind its name."""

    group: str
    artifact: str
    rest: str

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact}:{self.rest}"


def absent_dependencies(log: str, tree: Path) -> frozenset[Absent]:
    """The dependencies that Maven says do not exist.

    Without the tree's own modules, and without test frameworks: a project can do without neither.
    """
    own = own_artifacts(tree)
    lines = (line for line in log.splitlines() if not _OTHERS.search(line))
    found = (match.groups() for line in lines for match in _ABSENT.finditer(line))
    named = (Absent(*filter(None, parts)) for parts in found)
    return frozenset(
        each for each in named if each.artifact not in own and not _FRAMEWORK.fullmatch(each.group)
    )


def absent_plugins(log: str) -> frozenset[Absent]:
    """The plug-ins that Maven says do not exist, or need what does not."""
    return frozenset(Absent(*match.groups()) for match in _PLUGIN.finditer(log))


def leave_out(tree: Path, absent: Collection[Absent]) -> bool:
    """Take dependencies out of the poms of a tree, their own and others'; whether any changed."""
    return edit_poms(tree, lambda pom: functools.reduce(_without, sorted(absent), pom))


def leave_out_plugins(tree: Path, absent: Collection[Absent]) -> bool:
    """Take plug-ins out of the poms of a tree; whether any changed."""
    return edit_poms(tree, lambda pom: functools.reduce(_without_plugin, sorted(absent), pom))


def _without_plugin(pom: str, absent: Absent) -> str:
    def kept(match: re.Match[str]) -> str:
        left_out = match.group(1) == "plugin" and _names(match.group(), absent)
        return "" if left_out else match.group()

    return BLOCK.sub(kept, pom)


def _without(pom: str, absent: Absent) -> str:
    for match in list(BLOCK.finditer(pom)):
        block = match.group()
        if match.group(1) == "dependency":
            pom = pom.replace(block, "" if _names(block, absent) else _excluding(block, absent))
    return pom


def _names(block: str, absent: Absent) -> bool:
    group = element_text(block, "groupId")
    same = group == absent.group or group.startswith("${")
    return same and element_text(block, "artifactId") == absent.artifact


def _excluding(block: str, absent: Absent) -> str:
    """A dependency that does not bring the other one along; poms are no dependencies."""
    exclusion = _EXCLUSION.format(absent)
    if exclusion in block or element_text(block, "scope") == "import":
        return block
    if "</exclusions>" in block:
        return block.replace("</exclusions>", f"{exclusion}</exclusions>", 1)
    return block.replace("</dependency>", f"<exclusions>{exclusion}</exclusions></dependency>", 1)
