"""Plug-ins that check style, licences and releases, and say nothing about tests.

They are skipped by the properties that they ask. One that fails none the less, as it asks another
property or needs a later Maven than there is, is bound to no phase, in the copies of the poms.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.pom import edit_poms

SKIPPED = (
    *("enforcer", "rat", "checkstyle", "animal.sniffer", "jacoco", "spotbugs", "findbugs", "pmd"),
    *("cpd", "license", "maven.javadoc", "maven.source", "gpg", "japicmp", "spotless.check"),
    *("maven.gitcommitid", "cyclonedx", "moditect", "proguard"),
)
"""The beginnings of these properties; each ends in `.skip`."""
_CHECKS = re.compile(
    r"(?:maven-)?(?:enforcer|checkstyle|animal-sniffer|jacoco|spotbugs|findbugs|pmd|license|javadoc"
    r"|source|gpg|japicmp|spotless|git-commit-id|cyclonedx|moditect|proguard)(?:-maven)?-plugin"
    r"|apache-rat-plugin|bnd-baseline-maven-plugin"
)
_FAILED = re.compile(
    r"Failed to execute goal ([\w.-]+):([\w.-]+):[\w.-]+:[\w-]+ \(([\w.-]+)\) on project "
)
_ASIDE = re.compile(
    r"<(profiles|reporting|pluginManagement)>.*?</\1>|<!--.*?-->|</plugins>|</build>", re.DOTALL
)
_ENDS = ("</plugins>", "</build>")
_UNBOUND = (
    "<plugin><groupId>{0.group}</groupId><artifactId>{0.artifact}</artifactId><executions>"
    "<execution><id>{0.execution}</id><phase>none</phase></execution></executions></plugin>"
)


@dataclass(frozen=True, order=True)
class CheckingExecution:
    """An execution of a plug-in that checks."""

    group: str
    artifact: str
    execution: str


def failed_checks(log: str) -> frozenset[CheckingExecution]:
    """Those of which Maven says that they failed."""
    found = (CheckingExecution(*match.groups()) for match in _FAILED.finditer(log))
    return frozenset(each for each in found if _CHECKS.fullmatch(each.artifact))


def unbind(tree: Path, checks: Collection[CheckingExecution]) -> bool:
    """Bind checks to no phase in the poms of a tree; whether any pom changed."""
    plugins = "".join(_UNBOUND.format(check) for check in sorted(checks))
    return bool(plugins) and edit_poms(tree, lambda pom: _with_plugins(pom, plugins))


def _with_plugins(pom: str, plugins: str) -> str:
    """A pom whose build has more plug-ins, behind its own: the last word on one counts."""
    marks = (match for match in _ASIDE.finditer(pom) if match.group() in _ENDS)
    first = next(marks, None)
    if first is None:
        return pom.replace("</project>", f"<build><plugins>{plugins}</plugins></build></project>")
    added = plugins if first.group() == _ENDS[0] else f"<plugins>{plugins}</plugins>"
    return pom[: first.start()] + added + pom[first.start() :]
