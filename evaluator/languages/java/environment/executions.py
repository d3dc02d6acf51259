"""Executions of plug-ins that fail, and poms in which they are bound to no phase.

https://maven.apache.org/guides/mini/guide-configuring-plugins.html#using-the-executions-tag
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.pom import edit_poms

_FAILED = re.compile(
    r"Failed to execute goal ([\w.-]+):([\w.-]+):[\w.-]+:[\w-]+ \(([\w.-]+)\) on project "
    r"(?:[\w.-]+: ([^\n]*?)(?: -> \[Help \d+\])?$)?",
    re.MULTILINE,
)
_ASKED = "default-cli"
"""The execution of a goal that stands on Maven's command line: one that we ask for."""
_LONGEST_REASON = 300
_COMPILER = "maven-compiler-plugin"
_ASIDE = re.compile(
    r"<(profiles|reporting|pluginManagement)>.*?</\1>|<!--.*?-->|</plugins>|</build>", re.DOTALL
)
_ENDS = ("</plugins>", "</build>")
_UNBOUND = (
    "<plugin><groupId>{0.group}</groupId><artifactId>{0.artifact}</artifactId><executions>"
    "<execution><id>{0.name}</id><phase>none</phase></execution></executions></plugin>"
)


@dataclass(frozen=True, order=True)
class Execution:
    """An execution of a plug-in."""

    group: str
    artifact: str
    name: str

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact} ({self.name})"

    @property
    def is_needed(self) -> bool:
        """Whether it is what we ask Maven for, or the compiler, by which modules see each other."""
        return self.name == _ASKED or self.artifact == _COMPILER


def failed_executions(log: str) -> Mapping[Execution, str]:
    """Those of which Maven says that they failed, and its reason, cut where that is long."""
    found = (match.groups(default="") for match in _FAILED.finditer(log))
    return {Execution(*names): said[:_LONGEST_REASON] for *names, said in found}


def compiler_failed(log: str) -> bool:
    """Whether Maven says that sources did not compile."""
    return any(each.artifact == _COMPILER for each in failed_executions(log))


def unbind(tree: Path, executions: Collection[Execution]) -> bool:
    """Bind executions to no phase in the poms of a tree; whether any pom changed."""
    plugins = "".join(_UNBOUND.format(each) for each in sorted(executions))
    return bool(plugins) and edit_poms(tree, lambda pom: _with_plugins(pom, plugins))


def _with_plugins(pom: str, plugins: str) -> str:
    """A pom whose build has more plug-ins, behind its own: the last word on one counts."""
    marks = (match for match in _ASIDE.finditer(pom) if match.group() in _ENDS)
    first = next(marks, None)
    if first is None:
        return pom.replace("</project>", f"<build><plugins>{plugins}</plugins></build></project>")
    added = plugins if first.group() == _ENDS[0] else f"<plugins>{plugins}</plugins>"
    return pom[: first.start()] + added + pom[first.start() :]
