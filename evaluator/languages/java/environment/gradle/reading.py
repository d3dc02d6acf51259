"""What Gradle scripts say literally (Gradle itself is not run).

See https://docs.gradle.org/current/userguide/declaring_dependencies.html. A script is a program;
read are the notations that need no running: coordinates, jars of the tree, and directories. Where
anything else stands in their place, the scripts are not read at all.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.environment.gradle.names import filled
from evaluator.languages.java.environment.gradle.projects import project_directories
from evaluator.languages.java.environment.gradle.scripts import (
    blocks,
    conventions_of,
    script_of,
    statements,
    without,
)
from evaluator.languages.java.environment.types import PLATFORM

_BUILDS = ("buildscript", "publishing")
"""Blocks about building, which depends on other things than what is built."""
_LEVEL = re.compile(
    r"\bsourceCompatibility[\s=]*(?:JavaVersion\.VERSION_)?['\"]?(?:1[._])?(\d+)\b"
    r"|\bJavaLanguageVersion\.of\(\s*(\d+)\s*\)"
)
_STATEMENT = re.compile(r"^(\w+)[\s(]+(.*)$", re.DOTALL)
_CLOSURE = re.compile(r"(?<!\s)\s*\{[^{}]*\}\s*\Z")
"""What is said about a dependency, such as what is left out of it."""
_COORDINATES = re.compile(r"['\"]([\w.-]+:[\w.-]+(?::[\w.-]+)?)['\"]")
_PLATFORM = re.compile(r"(?:enforcedP|p)latform[\s(]+['\"]([\w.-]+:[\w.-]+:[\w.-]+)['\"]")
_PARTS = re.compile(
    r"group\s*[:=]\s*['\"]([\w.-]+)['\"],\s*name\s*[:=]\s*['\"]([\w.-]+)['\"],"
    r"\s*version\s*[:=]\s*['\"]([\w.-]+)['\"]"
)
_TREE = re.compile(r"fileTree[\s(]*(?:dir\s*[:=]\s*)?['\"]([\w./-]+)['\"]")
_FILE = re.compile(r"['\"]([\w./-]+\.jar)['\"]")
_ELSEWHERE = re.compile(r"configurations\.\w+|sourceSets\.\w+\.output|gradleApi\(\)")
"""What is on the class path anyway, since there is one for all."""
_PROJECT = re.compile(r"(?:testFixtures\s*\(\s*)?(?:project\s*\(|projects\.\w)")
"""So are the other projects, where all are read."""
_FRAMEWORK = re.compile(r"\buse(JUnitJupiter|JUnit|TestNG)\(['\"]([\w.-]+)['\"]\)")
"""A suite of tests with the version of its framework, which is a dependency of it so; see
https://docs.gradle.org/current/userguide/jvm_test_suite_plugin.html."""
_FRAMEWORKS = {
    "JUnitJupiter": "org.junit.jupiter:junit-jupiter",
    "JUnit": "junit:junit",
    "TestNG": "org.testng:testng",
}
_MARK = re.compile(r",\s*(?:optional|provided)\s*\Z")
"""By which plug-ins have a dependency not passed on to others; see
https://github.com/nebula-plugins/gradle-extra-configurations-plugin."""
_EXCLUDE = re.compile(r"^\s*exclude\b[\s(]*(['\"].*)$", re.MULTILINE)
_PATTERN = re.compile(r"['\"]([\w./*-]+)['\"]")
_DIRECTORY = re.compile(r"['\"]([\w./-]+)['\"]")
_USUAL = ("java", "resources")
_SETS = {"main": ("main",), "test": ("test", "testFixtures")}
_LAUNCHER = "org.junit.platform:junit-platform-launcher"
"""Gradle takes it in the version of the engines, which need no platform for that; we bring one."""
_CONFIGURATION = re.compile(
    r"(?:test)?_?(?:api|compile|compileonly|implementation|runtime|runtimeonly)", re.IGNORECASE
)
"""What Gradle gives to the compiler or to tests; projects have others of their own."""


@dataclass(frozen=True)
class _Project:
    """A project by its directory, "" for the root, with its script."""

    tree: Path
    directory: str
    text: str

    @functools.cached_property
    def sources(self) -> tuple[str, ...]:
        """The directories of sources and resources that are there, the usual ones too."""
        return tuple(self._directories("main"))

    @functools.cached_property
    def tests(self) -> tuple[str, ...]:
        """Those of tests."""
        return tuple(self._directories("test"))

    @functools.cached_property
    def excludes(self) -> tuple[str, ...]:
        """Patterns of sources that are left out, of both."""
        sets = blocks(self.text, "sourceSets")
        kinds = (block for each in sets for name in _SETS for block in blocks(each, name))
        stated = (_EXCLUDE.findall(text) for kind in kinds for text in blocks(kind, "java"))
        return tuple(name for lines in stated for line in lines for name in _PATTERN.findall(line))

    def _directories(self, name: str) -> Iterator[str]:
        stated = [
            directory
            for sets in blocks(self.text, "sourceSets")
            for block in blocks(sets, name)
            for line in block.splitlines()
            if "srcDir" in line
            for directory in _DIRECTORY.findall(line)
        ]
        usual = [f"src/{each}/{kind}" for each in _SETS[name] for kind in _USUAL]
        for each in dict.fromkeys([*stated, *usual]):
            path = Path(self.directory, each)
            if (self.tree / path).is_dir():
                yield path.as_posix()


def read_script(tree: Path) -> Mapping[str, tuple[str, ...]]:
    """The fields of a recipe: `sources`, `tests`, `dependencies`, and `arguments` for the level.

    `excludes` too, where anything is left out.

    They are those of the root project, or of all projects together where it alone is none that is
    tested. Empty where there is no script, or where they are not said literally.
    """
    conventions = conventions_of(tree)
    root = _Project(tree, "", without(f"{script_of(tree, '')}\n{conventions}", _BUILDS))
    alone = _Project(tree, "", without(root.text, ["subprojects"]))
    return _fields([alone]) or _of_all(root)


def _of_all(root: _Project) -> Mapping[str, tuple[str, ...]]:
    """What all projects that have sources say together, the root's script in any case.

    Only where one class path can be that of all: no two have a class of the same name, or ask for
    versions of an artifact that differ in their first number.
    """
    tree = root.tree
    _, *directories = project_directories(tree)
    others = [_Project(tree, each, without(script_of(tree, each), _BUILDS)) for each in directories]
    having = [each for each in others if each.sources or each.tests]
    fields = _fields([root, *having]) if having else {}
    roots = {tree / root for each in having for root in (*each.sources, *each.tests)}
    return fields if fields and not _share_classes(roots) else {}


def _share_classes(roots: Collection[Path]) -> bool:
    names = [
        path.relative_to(root)
        for root in roots
        for path in root.rglob("*.java")
        if "-" not in path.stem  # `package-info` and `module-info` are no classes.
    ]
    return len(names) > len(set(names))


def _fields(projects: Sequence[_Project]) -> Mapping[str, tuple[str, ...]]:
    text = filled("\n".join(each.text for each in projects), projects[0].tree)
    together = len(projects) > 1
    artifacts = _by_artifact(_all_dependencies(text, together=together))
    fields = {
        "sources": tuple(root for each in projects for root in each.sources),
        "tests": tuple(root for each in projects for root in each.tests),
        "dependencies": tuple(max(same, key=_numbers) for same in artifacts),
    }
    excludes = tuple(dict.fromkeys(name for each in projects for name in each.excludes))
    if not all(fields.values()) or not _is_said(fields["dependencies"]):
        return {}
    if together and any(map(_differ, artifacts)):
        return {}
    levels = [int(one or other) for one, other in _LEVEL.findall(text)]
    said = {"arguments": ("--release", f"{max(levels)}")} if levels else {}
    return fields | said | ({"excludes": excludes} if excludes else {})


def _by_artifact(names: Iterable[str]) -> Collection[Sequence[str]]:
    """Names that say the same artifact, of which Gradle takes the newest version."""
    found: dict[str, list[str]] = {}
    for name in names:
        is_jar = name.endswith((".jar", PLATFORM))
        found.setdefault(name if is_jar else ":".join(name.split(":")[:2]), []).append(name)
    return found.values()


def _numbers(name: str) -> tuple[int, ...]:
    """Those of a version, none where there is none."""
    return tuple(map(int, re.findall(r"\d+", ":".join(name.split(":")[2:]))))


def _differ(names: Sequence[str]) -> bool:
    """Whether versions differ in what they begin with, so that one is not in another's place."""
    return len({numbers[0] for name in names if (numbers := _numbers(name))}) > 1


def _is_said(dependencies: Sequence[str]) -> bool:
    """Whether each is said, with its version, or with a platform that may say it."""
    has_platform = any(name.endswith(PLATFORM) for name in dependencies)
    return all(
        name.endswith(".jar") or _numbers(name) or (has_platform and name.count(":") == 1)
        for name in dependencies
    )


def _all_dependencies(text: str, *, together: bool) -> Iterator[str]:
    for block in blocks(text, "dependencies"):
        for statement in statements(block):
            names = _dependencies(statement, together=together)
            yield from (name for name in names if name != _LAUNCHER)
    for framework, version in _FRAMEWORK.findall(text):
        yield f"{_FRAMEWORKS[framework]}:{version}"


def _dependencies(statement: str, *, together: bool) -> Iterator[str]:
    """What a statement names; "" for what it does not say literally."""
    said = _STATEMENT.match(_CLOSURE.sub("", statement))
    what = _MARK.sub("", said[2]) if said else ""
    if tree := _TREE.search(what):
        yield f"{tree[1].rstrip('/')}/**/*.jar"
    elif platform := _PLATFORM.match(what):
        yield f"{platform[1]}{PLATFORM}"
    elif what.startswith("files"):
        yield from _FILE.findall(what) or [""]
    elif parts := _PARTS.search(what):
        yield ":".join(parts.groups())
    elif (names := _COORDINATES.findall(what)) and len(names) == len(_items(what)):
        yield from names
    elif said and _CONFIGURATION.fullmatch(said[1]) and not _is_there(what, together=together):
        yield ""


def _items(what: str) -> Sequence[str]:
    """What stands between commas, of which there may be one at the end."""
    return what.rstrip("), \n").split(",")


def _is_there(what: str, *, together: bool) -> bool:
    return bool(_ELSEWHERE.match(what) or (together and _PROJECT.match(what)))
