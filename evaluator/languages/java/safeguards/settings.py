"""What of a build file bears on how tests run; the rest is cut."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

_INERT = frozenset(
    {"maven-javadoc-plugin", "maven-source-plugin", "maven-gpg-plugin", "maven-site-plugin"}
    | {"maven-release-plugin", "maven-checkstyle-plugin", "maven-pmd-plugin", "maven-jxr-plugin"}
    | {"spotbugs-maven-plugin", "findbugs-maven-plugin", "apache-rat-plugin", "maven-jar-plugin"}
    | {
        "maven-changes-plugin",
        "maven-assembly-plugin",
        "maven-deploy-plugin",
        "japicmp-maven-plugin",
    }
    | {
        "maven-scm-publish-plugin",
        "clirr-maven-plugin",
        "maven-bundle-plugin",
        "revapi-maven-plugin",
    }
    | {"nexus-staging-maven-plugin", "central-publishing-maven-plugin", "maven-shade-plugin"}
    | {"versions-maven-plugin", "license-maven-plugin", "animal-sniffer-maven-plugin"}
    | {"maven-project-info-reports-plugin", "coveralls-maven-plugin", "maven-install-plugin"}
)
"""Plug-ins that run after tests, or change nothing that tests run with."""
_BUILD = ("build", "parent", "modules", "packaging")
_STEERING = re.compile(
    r"argLine|surefire|failsafe|jacoco|skip|test|junit|groups|compiler|encoding|fork|cobertura",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_GRADLE_INERT = re.compile(
    r"^\s*(?:version|group|description|archivesBaseName)\s*=?\s*['\"][^'\"]*['\"]\s*$", re.MULTILINE
)
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)

Facts = Callable[[bytes], object]


def pom(content: bytes) -> object:
    """What of a pom.xml bears on tests: plug-ins, profiles, and the properties that these use."""
    try:
        root = ET.fromstring(content)  # noqa: S314 - expat bounds what entities grow to
    except (ET.ParseError, LookupError, ValueError):
        return content
    _strip(root)
    steering = sorted([*_steering(root), *_profiles(root)])
    used = set(_REFERENCE.findall(" ".join(steering)))
    return steering, sorted(_properties(root, used))


def _strip(root: ET.Element) -> None:
    """Leave out namespaces and layout."""
    for node in root.iter():
        node.tag = str(node.tag).rpartition("}")[2]
        node.text, node.tail = (node.text or "").strip(), ""


def _steering(project: ET.Element) -> Iterator[str]:
    for name in _BUILD:
        for element in project.findall(name):
            for plugins in element.iter("plugins"):
                for plugin in list(plugins):
                    if (plugin.findtext("artifactId") or "") in _INERT:
                        plugins.remove(plugin)
            yield ET.tostring(element, "unicode") if list(element) or element.text else ""


def _profiles(project: ET.Element) -> Iterator[str]:
    for profile in project.iter("profile"):
        activation = profile.find("activation")
        yield "" if activation is None else ET.tostring(activation, "unicode")
        yield from _steering(profile)


def _properties(project: ET.Element, used: set[str]) -> Iterator[str]:
    for properties in project.iter("properties"):
        for each in properties:
            if each.tag in used or _STEERING.search(each.tag):
                yield ET.tostring(each, "unicode")


def gradle(content: bytes) -> object:
    """The words of a Gradle script without comments, and without what only names the project."""
    text = _COMMENT.sub("", content.decode("utf-8", "replace"))
    return _GRADLE_INERT.sub("", text).split()


def whole(content: bytes) -> object:
    """The words of a file."""
    return content.split()


BY_NAME: dict[str, Facts] = {
    "pom.xml": pom,
    "build.xml": whole,
    "build.properties": whole,
    "project.xml": whole,
    "gradle.properties": whole,
    "libs.versions.toml": whole,
    "junit-platform.properties": whole,
    "mvnw": whole,
    "mvnw.cmd": whole,
    "gradlew": whole,
    "gradlew.bat": whole,
    "MANIFEST.MF": whole,
    ".java-version": whole,
    ".sdkmanrc": whole,
    "org.mockito.plugins.MockMaker": whole,
}
BY_PATTERN: tuple[tuple[re.Pattern[str], Facts], ...] = (
    (re.compile(r".*\.gradle(\.kts)?|(.*/)?buildSrc/.*"), gradle),
    (re.compile(r"(.*/)?\.mvn/.*|(.*/)?gradle/wrapper/.*|(.*/)?mockito-extensions/.*"), whole),
    (re.compile(r"(.*/)?testng[^/]*\.xml|(.*/)?(maven|surefire)[^/]*\.properties"), whole),
)
"""By the name of a file, or by its path: what in its content steers tests, to be compared."""


def facts_of(path: str) -> Facts | None:
    """What reads the facts of a file; None for one that steers nothing."""
    name = path.rpartition("/")[2]
    matching = (facts for pattern, facts in BY_PATTERN if pattern.fullmatch(path))
    return BY_NAME.get(name) or next(matching, None)
