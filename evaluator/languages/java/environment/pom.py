"""What stands in poms, and the poms of a tree.

See https://maven.apache.org/pom.html. Poms of a tree are edited as texts: elements that nothing
here asks about stay as they are, and so does whatever their encoding is.
"""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from evaluator.environment.tools import regular_files

NAMESPACE = "http://maven.apache.org/POM/4.0.0"
_SPACE = f"{{{NAMESPACE}}}"
_POM = "pom.xml"
BLOCK = re.compile(r"<(parent|dependency|plugin|extension)>.*?</\1>", re.DOTALL)
"""What names an artifact; those that a plug-in needs are within its block."""
_DEEPEST_PROJECT = 2
_OF_SOURCES = re.compile(r"(?:^|/)src/")
_COMMENT = "<!--"
_MODULE_OR_COMMENT = re.compile(rf"{_COMMENT}|-->|<module>([^<]{{1,1000}})</module>")
_JOINING = """\
<project xmlns="{namespace}">
  <modelVersion>4.0.0</modelVersion>
  <groupId>fixgate</groupId>
  <artifactId>all-projects</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <modules>{modules}</modules>
</project>
"""


def elements(element: ET.Element, *path: str) -> Iterator[ET.Element]:
    """The elements at a path below another one."""
    return element.iterfind("/".join(_SPACE + step for step in path))


def text(element: ET.Element, *path: str) -> str:
    """The text of the first of them, "" where there is none."""
    return next(((found.text or "").strip() for found in elements(element, *path)), "")


def projects(effective: Path) -> tuple[ET.Element, ...]:
    """The projects of an effective pom. Raises xml.etree.ElementTree.ParseError."""
    root = ET.parse(effective).getroot()  # noqa: S314
    return (root,) if root.tag == f"{_SPACE}project" else tuple(elements(root, "project"))


def default_profiles(pom: ET.Element) -> tuple[str, ...]:
    """The profiles of a pom that are active by default, if any of them lists modules.

    Maven leaves all of these out where the JDK activates another one, and their modules, too:
    https://maven.apache.org/guides/introduction/introduction-to-profiles.html.
    """
    profiles = elements(pom, "profiles", "profile")
    found = [each for each in profiles if text(each, "activation", "activeByDefault") == "true"]
    lists_modules = any(text(each, "modules", "module") for each in found)
    return tuple(filter(None, (text(each, "id") for each in found))) if lists_modules else ()


def plugins(pom: ET.Element, name: str = "") -> Iterator[ET.Element]:
    """The plug-ins of a build, or those of a name."""
    found = elements(pom, "build", "plugins", "plugin")
    return (each for each in found if name in ("", text(each, "artifactId")))


def phases(plugin: ET.Element) -> frozenset[str]:
    """The phases that executions of a plug-in are bound to."""
    return frozenset(phase.text or "" for phase in plugin.iter(f"{_SPACE}phase"))


def goals(plugin: ET.Element) -> frozenset[str]:
    """The goals of executions of a plug-in."""
    found = elements(plugin, "executions", "execution", "goals", "goal")
    return frozenset((goal.text or "").strip() for goal in found)


def goals_of_no_phase(plugin: ET.Element) -> Iterator[str]:
    """The goals of executions of a plug-in that say no phase: it has one of its own for them."""
    for execution in elements(plugin, "executions", "execution"):
        if not text(execution, "phase"):
            yield from (goal.text or "" for goal in elements(execution, "goals", "goal"))


def filters(pom: ET.Element, kind: str) -> bool:
    """Whether Maven fills in properties in any `resource` or `testResource`."""
    found = elements(pom, "build", f"{kind}s", kind, "filtering")
    return any(element.text == "true" for element in found)


def poms_of(tree: Path) -> Iterator[Path]:
    """The poms of all modules of a tree, and of whatever else brings one along."""
    return (tree / name for name in regular_files(tree) if Path(name).name == "pom.xml")


def separate_projects(tree: Path) -> tuple[str, ...]:
    """Directories with a Maven project each, of a tree that has no pom at its root.

    Of poms below each other, the uppermost; none of those that another one names as its modules
    (`../tools`, where a parent stands beside them), or that stand among sources, as data.
    """
    if (tree / _POM).is_file():
        return ()
    poms = list(poms_of(tree))
    modules = {place for pom in poms for place in _modules_beside(pom, tree)}
    found = {pom.parent.relative_to(tree) for pom in poms}
    return tuple(
        sorted(
            path.as_posix()
            for path in found - modules
            if len(path.parts) <= _DEEPEST_PROJECT
            and not found.intersection(path.parents)
            and not _OF_SOURCES.search(f"{path.as_posix()}/")
        )
    )


def _modules_beside(pom: Path, tree: Path) -> Iterator[Path]:
    """The directories of the modules of a pom that do not lie below its own, as `tree` has them."""
    own = pom.parent.relative_to(tree)
    for name in _listed(read_pom(pom)):
        place = Path(os.path.normpath(own / name))
        place = place.parent if place.suffix == ".xml" else place
        if not place.is_relative_to(own):
            yield place


def _listed(pom: str) -> Iterator[str]:
    """The modules that a pom lists, but for those in comments."""
    commented = False
    for found in _MODULE_OR_COMMENT.finditer(pom):
        if not found[1]:
            commented = found[0] == _COMMENT
        elif not commented:
            yield found[1].strip()


def join_projects(tree: Path) -> None:
    """Write a pom at the root of a tree that has separate projects, if any, by which they are one.

    Maven builds them in one go then, and each has the classes of others that it names.
    """
    if names := separate_projects(tree):
        modules = "".join(f"<module>{escape(name)}</module>" for name in names)
        text = _JOINING.format(namespace=NAMESPACE, modules=modules)
        (tree / _POM).write_text(text, encoding="utf-8")


def read_pom(pom: Path) -> str:
    """Whatever its encoding is, what matters here are bytes of ASCII."""
    return pom.read_bytes().decode("latin-1")


def element_text(pom: str, name: str) -> str:
    """The text of the first element of a name in a part of a pom, "" where there is none."""
    found = re.search(element_pattern(name), pom)
    return found.group(1) if found else ""


def element_pattern(name: str) -> str:
    """A pattern of an element with nothing but text in it, which is its group."""
    return rf"<{re.escape(name)}>\s*([^<]*?)\s*</{re.escape(name)}>"


def own_artifacts(tree: Path) -> frozenset[str]:
    """The artifacts that the poms of a tree are for: the first each names outside of blocks."""
    return frozenset(name for name, _ in artifacts(tree))


def artifacts(tree: Path) -> tuple[tuple[str, Path], ...]:
    """What the poms of a tree are for, and where each lies."""
    named = (
        (element_text(BLOCK.sub("", read_pom(pom)), "artifactId"), pom) for pom in poms_of(tree)
    )
    return tuple((name, pom.parent) for name, pom in named if name)


def place_of(artifact: str, known: Iterable[tuple[str, Path]]) -> Path | None:
    """Where the pom of an artifact lies; None where not exactly one can be for it.

    A property may be part of its name (`kryo${major}`), whatever it is: then the pom counts that
    says most of it.
    """
    said = [(_said(name, artifact), place) for name, place in known]
    most = max((count for count, _ in said), default=0)
    fitting = [place for count, place in said if count == most > 0]
    return fitting[0] if len(fitting) == 1 else None


def _said(name: str, artifact: str) -> int:
    """How many letters of an artifact's name a pom says, 0 where it is for another one."""
    if name == artifact:
        return len(artifact)
    beginning, _, rest = name.partition("${")
    _, closed, end = rest.partition("}")
    longer = len(artifact) > len(beginning + end)
    fits = closed and longer and artifact.startswith(beginning) and artifact.endswith(end)
    return len(beginning + end) if fits else 0


def edit_poms(tree: Path, edited: Callable[[str], str]) -> bool:
    """Replace the text of each pom by what `edited` gives for it; whether any pom changed."""
    changed = False
    for pom in poms_of(tree):
        before = read_pom(pom)
        after = edited(before)
        if after != before:
            pom.write_bytes(after.encode("latin-1"))
            changed = True
    return changed
