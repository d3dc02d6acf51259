"""Runs Maven until it has read a project, without what keeps it from that.

Maven builds no module where it cannot read the pom of any of them. Such a module is taken out of
the copy of the tree that Maven works in, and named with what Maven says of it.
"""

from __future__ import annotations

import functools
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import ToolError
from evaluator.languages.java.environment.absent import (
    Absent,
    absent_dependencies,
    absent_plugins,
    leave_out,
    leave_out_plugins,
)
from evaluator.languages.java.environment.checks import failed_checks
from evaluator.languages.java.environment.executions import Execution, failed_executions, unbind
from evaluator.languages.java.environment.maven import (
    drop_extensions,
    drop_unknown_option,
    names_unknown_option,
)
from evaluator.languages.java.environment.pom import NAMESPACE, poms_of, read_pom
from evaluator.languages.java.environment.project import Module
from evaluator.languages.java.environment.releases import Missing, missing_artifacts, use_releases

_MOST_ROUNDS = 8
"""A parent that is found may ask for more that are gone, and a module for one that is left out.

Of dependencies that are gone Maven names one at a time.
"""
_UNREADABLE = re.compile(
    r"^\[ERROR\] +The project (?:\S+ )?\((/.+?)/pom\.xml\) has \d+ errors?\s*\n\[ERROR\] +(\S.*)$",
    re.MULTILINE,
)
_LISTED = re.compile(r"<module>\s*([^<]*?)\s*</module>")
_HELP = re.compile(r" -> \[Help \d+\]$")
_USUAL = {
    "directory": "target",
    "outputDirectory": "target/classes",
    "testOutputDirectory": "target/test-classes",
    "sourceDirectory": "src/main/java",
    "testSourceDirectory": "src/test/java",
}
"""https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html"""


@dataclass(frozen=True)
class MavenReading:
    """The `error` of the first run, where none succeeds; what was changed in the poms for it.

    Artifacts that were `replaced`, dependencies that are `absent`, modules that are `unread`.
    """

    error: ToolError | None
    replaced: tuple[Missing, ...]
    absent: tuple[Absent, ...]
    unread: tuple[Module, ...]


class _Repair:
    """What is done to a tree so that Maven may read it the next time."""

    def __init__(
        self, tree: Path, gone: Collection[Missing], any_resolved: Callable[[], bool]
    ) -> None:
        self.replaced, self.absent = set(gone), set[Absent]()
        self.unbound: set[Execution] = set()
        self.unread: dict[Path, str] = {}
        self._tree = tree
        self._any_resolved = any_resolved
        use_releases(tree, self.replaced)

    def mend(self, log: str) -> bool:
        """Take one thing that Maven stumbled over out of its way; whether there was any."""
        kinds = (
            *(self._options, self._releases, self._checks),
            *(self._plugins, self._dependencies, self._modules),
        )
        return any(mended(log) for mended in kinds)

    def _options(self, log: str) -> bool:
        return drop_unknown_option(self._tree, log) or drop_extensions(self._tree, log)

    def _releases(self, log: str) -> bool:
        missing = missing_artifacts(log, self._tree) - self.replaced
        if changed := use_releases(self._tree, missing):
            self.replaced |= missing
        return changed

    def _checks(self, log: str) -> bool:
        failed = failed_checks(log) - self.unbound
        self.unbound |= failed
        return unbind(self._tree, failed)

    def _plugins(self, log: str) -> bool:
        nowhere = absent_plugins(log) - self.absent
        if changed := leave_out_plugins(self._tree, nowhere):
            self.absent |= nowhere
        return changed

    def _dependencies(self, log: str) -> bool:
        if self._any_resolved():
            return False
        nowhere = absent_dependencies(log, self._tree) - self.absent
        if changed := leave_out(self._tree, nowhere):
            self.absent |= nowhere
        return changed

    def _modules(self, log: str) -> bool:
        dropped = _drop_unreadable(self._tree, log)
        self.unread |= dropped
        return bool(dropped)


def run_until_read(
    run: Callable[[], None],
    tree: Path,
    gone: Collection[Missing],
    any_resolved: Callable[[], bool],
) -> MavenReading:
    """Run Maven on a tree, with releases in the place of artifacts that are `gone`.

    Again with more releases, without options that it does not know, extensions for another Maven,
    checks that fail, and modules that it cannot read, which all changes the tree; without
    dependencies that are nowhere unless some module does not need them: `any_resolved` says so
    after a run.
    """
    repair, errors = _Repair(tree, gone, any_resolved), list[ToolError]()
    for _ in range(_MOST_ROUNDS):
        error = error_of(run)
        if error is None:
            errors.clear()
            break
        errors.append(error)
        if not repair.mend(error.log):
            break
    first = min(errors, key=lambda each: _says_nothing_of_the_project(each.log), default=None)
    modules = tuple(_modules(tree, repair.unread))
    replaced, absent = tuple(sorted(repair.replaced)), tuple(sorted(repair.absent))
    return MavenReading(first, replaced, absent, modules)


def run_without_failing(
    run: Callable[[], None], tree: Path, error: ToolError | None
) -> tuple[ToolError | None, Mapping[Execution, str]]:
    """Run Maven again, after a run that ended in `error`, without what failed of plug-ins in it.

    Data that they could not fetch or write, only some tests miss. The error that is left, and what
    Maven says of each execution that is left out.
    """
    failed: dict[Execution, str] = {}
    for _ in range(_MOST_ROUNDS):
        named = {} if error is None else failed_executions(error.log)
        found = {each: said for each, said in named.items() if not each.is_needed}
        if found.keys() <= failed.keys() or not unbind(tree, found):
            break
        failed |= found
        error = error_of(run)
    return error, failed


def error_of(run: Callable[[], None]) -> ToolError | None:
    """The error that a run of Maven ends in, None where it succeeds."""
    try:
        run()
    except ToolError as error:
        return error
    return None


def _says_nothing_of_the_project(log: str) -> bool:
    """Whether Maven stopped at one of its options, or at a check."""
    return names_unknown_option(log) or bool(failed_checks(log))


def _drop_unreadable(tree: Path, log: str) -> Mapping[Path, str]:
    """Take modules out of a tree of which Maven could not read the poms; why, by directory."""
    named = {Path(place): _HELP.sub("", said) for place, said in _UNREADABLE.findall(log)}
    listed = {place for place in named if place != tree and _unlist(tree, place)}
    return {place: said for place, said in named.items() if place in listed}


def _unlist(tree: Path, module: Path) -> bool:
    """Take a module out of the lists of all poms of a tree; whether it was in any."""
    changed = False
    for pom in poms_of(tree):
        before = read_pom(pom)
        after = _LISTED.sub(functools.partial(_others, pom, module), before)
        if after != before:
            pom.write_bytes(after.encode("latin-1"))
            changed = True
    return changed


def _others(pom: Path, module: Path, listed: re.Match[str]) -> str:
    """An entry of a pom's list; "" where it stands for a module, by its directory or its pom."""
    place = os.path.normpath(pom.parent / listed[1])
    return "" if place in (str(module), str(module / "pom.xml")) else listed[0]


def _modules(tree: Path, unread: Mapping[Path, str]) -> Iterator[Module]:
    """As far as known: they lie where the usual layout has everything."""
    for directory, said in unread.items():
        pom = ET.Element(f"{{{NAMESPACE}}}project")
        name = directory.relative_to(tree).as_posix().replace("/", ".")
        ET.SubElement(pom, f"{{{NAMESPACE}}}artifactId").text = name
        build = ET.SubElement(pom, f"{{{NAMESPACE}}}build")
        for element, place in _USUAL.items():
            ET.SubElement(build, f"{{{NAMESPACE}}}{element}").text = str(directory / place)
        yield Module(pom, directory, said)
