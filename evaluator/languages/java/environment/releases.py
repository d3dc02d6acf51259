"""Releases in the place of parents and dependencies that no repository has any more.

Snapshots are deleted when their release is out. The nearest one that is not newer takes their
place: a version range (https://maven.apache.org/pom.html#dependency-version-requirement-specification).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.pom import (
    BLOCK,
    edit_poms,
    element_pattern,
    element_text,
    own_artifacts,
    poms_of,
    read_pom,
)

_MISSING = re.compile(
    r"(?:artifacts? could not be resolved:|(?:find|transfer) artifact|read artifact descriptor for"
    r"|(?<=SNAPSHOT),) ([\w.-]+):([\w.-]+):(?:[\w.-]+:)+?([\w.-]+?)(?=[\s,:(]|$)"
)
_PARENT_MISSING = re.compile(r"Non-resolvable parent POM[^\n]*? artifact [\w.-]+:([\w.-]+):pom:")
_PARENT = re.compile(r"<parent>.*?</parent>", re.DOTALL)
_MANAGEMENT = re.compile(r"<dependencyManagement>.*?</dependencyManagement>", re.DOTALL)
_SNAPSHOT = "-SNAPSHOT"


@dataclass(frozen=True, order=True)
class Missing:
    """An artifact that no repository has."""

    group: str
    artifact: str
    version: str

    @property
    def range(self) -> str:
        """The releases that come into question."""
        return f"(,{self.version.removesuffix(_SNAPSHOT)}]"

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact} {self.range} in the place of {self.version}"


def missing_artifacts(log: str, tree: Path) -> frozenset[Missing]:
    """The parents and the snapshots that Maven did not find, but for the tree's own modules."""
    own = own_artifacts(tree)
    found = (Missing(*match.groups()) for match in _MISSING.finditer(log))
    parents = set(_PARENT_MISSING.findall(log))
    return frozenset(
        each
        for each in found
        if each.artifact not in own
        and (each.version.endswith(_SNAPSHOT) or each.artifact in parents)
    )


def use_releases(tree: Path, missing: Collection[Missing]) -> bool:
    """Have the poms of a tree ask for releases; whether any pom changed.

    A parent that is a release says which release of the tree's own modules goes with it, for
    dependencies that name no version: they get the tree's.
    """
    changed = edit_poms(tree, lambda pom: functools.reduce(_replaced, sorted(missing), pom))
    if changed:
        own = tuple(_modules_of_no_version(tree))
        edit_poms(tree, lambda pom: functools.reduce(_of_the_tree, own, pom))
    return changed


def _replaced(pom: str, missing: Missing) -> str:
    for block in [match.group() for match in BLOCK.finditer(pom)]:
        if element_text(block, "artifactId") != missing.artifact:
            continue
        named = re.fullmatch(r"\$\{([\w.-]+)\}", element_text(block, "version"))
        if named and re.search(element_pattern(named.group(1)), pom):
            pom = _with_text(pom, named.group(1), missing.range)
        else:
            pom = pom.replace(block, _with_version(block, missing.range))
        if block.startswith("<parent>"):
            pom = _with_own_version(pom, missing.version)
    return pom


def _modules_of_no_version(tree: Path) -> Iterator[_Module]:
    """The modules of a tree, but for those whose versions its poms manage themselves."""
    poms = [read_pom(pom) for pom in poms_of(tree)]
    managed = {
        element_text(block.group(), "artifactId")
        for pom in poms
        for management in _MANAGEMENT.findall(pom)
        for block in BLOCK.finditer(management)
    }
    modules = map(_Module.of, poms)
    return (each for each in modules if each.artifact not in managed and each.version)


@dataclass(frozen=True)
class _Module:
    """What a pom is for."""

    group: str
    artifact: str
    version: str

    @classmethod
    def of(cls, pom: str) -> _Module:
        own, parent = BLOCK.sub("", pom), "".join(_PARENT.findall(pom)[:1])
        group, version = (
            element_text(own, name) or element_text(parent, name) for name in ("groupId", "version")
        )
        return cls(group, element_text(own, "artifactId"), version)

    def is_named_by(self, block: str) -> bool:
        """Whether a block is a dependency on it that says no version."""
        groups = (self.group, "${project.groupId}")
        return (
            block.startswith("<dependency>")
            and element_text(block, "artifactId") == self.artifact
            and element_text(block, "groupId") in groups
            and "<version>" not in block
        )


def _of_the_tree(pom: str, module: _Module) -> str:
    def chosen(match: re.Match[str]) -> str:
        block = match.group()
        return _with_version(block, module.version) if module.is_named_by(block) else block

    return BLOCK.sub(chosen, pom)


def _with_version(block: str, version: str) -> str:
    if "<version>" in block:
        return _with_text(block, "version", version)
    return block.replace("</artifactId>", f"</artifactId><version>{version}</version>", 1)


def _with_text(text: str, element: str, value: str) -> str:
    return re.sub(element_pattern(element), f"<{element}>{value}</{element}>", text, count=1)


def _with_own_version(pom: str, version: str) -> str:
    """A project may not inherit its version from a parent that is named by a range."""
    if "<version>" in BLOCK.sub("", _PARENT.sub("", pom)).partition("<dependencies>")[0]:
        return pom
    return pom.replace("</parent>", f"</parent><version>{version}</version>", 1)
