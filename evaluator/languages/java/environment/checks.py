"""Plug-ins that check style, licences and releases, and say nothing about tests.

They are skipped by the properties that they ask. One that fails none the less, as it asks another
property or needs a later Maven than there is, is bound to no phase, in the copies of the poms.
"""

from __future__ import annotations

import re

from evaluator.languages.java.environment.executions import Execution, failed_executions

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


def failed_checks(log: str) -> frozenset[Execution]:
    """Those of which Maven says that they failed."""
    return frozenset(each for each in failed_executions(log) if _CHECKS.fullmatch(each.artifact))
