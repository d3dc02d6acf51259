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
from evaluator.languages.java.environment.absent import Absent, absent_dependencies, leave_out
from evaluator.languages.java.environment.maven import drop_unknown_option
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


def run_until_read(
    run: Callable[[], None],
    tree: Path,
    gone: Collection[Missing],
    any_resolved: Callable[[], bool],
) -> MavenReading:
    """Run Maven on a tree, with releases in the place of artifacts that are `gone`.

    Again with more releases, without options that it does not know, and without modules that it
    cannot read, which all changes the tree; without dependencies that are nowhere unless some
    module does not need them: `any_resolved` says so after a run.
    """
    first: ToolError | None = None
    last: ToolError | None = None
    replaced, absent, unread = set(gone), set[Absent](), dict[Path, str]()
    use_releases(tree, replaced)
    for _ in range(_MOST_ROUNDS):
        try:
            run()
        except ToolError as error:
            last = error
            if drop_unknown_option(tree, error.log):
                continue
            first = first or error
            missing = missing_artifacts(error.log, tree) - replaced
            if use_releases(tree, missing):
                replaced |= missing
                continue
            nowhere = absent_dependencies(error.log, tree) - absent
            if not any_resolved() and leave_out(tree, nowhere):
                absent |= nowhere
                continue
            if not (dropped := _drop_unreadable(tree, error.log)):
                break
            unread |= dropped
        else:
            first = last = None
            break
    modules = tuple(_modules(tree, unread))
    return MavenReading(first or last, tuple(sorted(replaced)), tuple(sorted(absent)), modules)


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
