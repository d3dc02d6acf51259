"""What a project's surefire plug-in gives the virtual machine of its tests.

See https://maven.apache.org/surefire/maven-surefire-plugin/test-mojo.html.
"""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence

from evaluator.languages.java.environment.opened import FIRST_WITH_MODULES, open_packages
from evaluator.languages.java.environment.pom import elements, plugins, text

TREE = "{tree}"
"""Stands for the work tree, wherever it is."""
_ALLOWED = re.compile(
    r"-D.+|-X(?:mx|ms|ss)\w+|-(?:ea|da|enableassertions|disableassertions)(?::.*)?"
    r"|--(?:add-(?:opens|exports|modules|reads)|enable-native-access)=.+|--enable-preview"
)
_ADDED = "--add-modules="
_OF_THE_JDK = re.compile(r"(?:java|jdk)\..+|ALL-SYSTEM|ALL-DEFAULT")
_TWO_WORDS = re.compile(r"(--(?:add-(?:opens|exports|modules|reads)|enable-native-access))\s+")
_AGENT = re.compile(
    r"-javaagent:(?:[@$]\{[\w.-]+:(?P<artifact>[\w.-]+):jar\}|(?P<path>[^\s=]+\.jar))"
    r"(?P<options>=\S+)?"
)


def machine_options(pom: ET.Element, level: int, newest: int, tree: str) -> list[str]:
    """Options of the virtual machine, from an effective pom that was made for `tree`.

    What names properties that Maven does not know is left out, and so are agents, for which see
    `agents`.
    """
    options = list(open_packages(level, newest))
    for configuration in _configurations(pom):
        options += machine_arguments(_line(pom, configuration))
        options += [f"-D{name}={value}" for name, value in _properties(configuration)]
        if text(configuration, "enableAssertions") == "false":
            options.append("-da")
    if newest < FIRST_WITH_MODULES:
        options = [option for option in options if not option.startswith("--")]
    return [option.replace(tree, TREE) for option in options if "${" not in option]


def agents(pom: ET.Element, class_path: Sequence[str]) -> list[str]:
    """Options that start agents whose jars the tests' class path has, such as those of mocks.

    Wherever the pom has the jar from, `maven-dependency-plugin`'s `${group:artifact:jar}` among
    others, the one on the class path is meant.
    """
    lines = [_line(pom, configuration) for configuration in _configurations(pom)]
    found = (match for line in lines for word in _words(line) if (match := _AGENT.fullmatch(word)))
    jars = ((_jar(match, class_path), match["options"] or "") for match in found)
    return [f"-javaagent:{jar}{options}" for jar, options in jars if jar]


def _jar(agent: re.Match[str], class_path: Sequence[str]) -> str:
    """The entry of the class path that an agent is; "" where it is none."""
    if agent["artifact"]:
        name = re.compile(rf"{re.escape(agent['artifact'])}-\d[^/]*\.jar")
    else:
        name = re.compile(re.escape(agent["path"].rpartition("/")[2]))
    return next((each for each in class_path if name.fullmatch(each.rpartition("/")[2])), "")


def variables(pom: ET.Element, tree: str) -> Mapping[str, str]:
    """Environment variables of the tests."""
    found: dict[str, str] = {}
    for configuration in _configurations(pom):
        for name, value in _named(configuration, "environmentVariables"):
            found[name] = value.replace(tree, TREE)
    return {name: value for name, value in found.items() if "${" not in value}


def _configurations(pom: ET.Element) -> Iterator[ET.Element]:
    for plugin in plugins(pom, "maven-surefire-plugin"):
        yield from list(elements(plugin, "configuration")) or [ET.Element("configuration")]


def _line(pom: ET.Element, configuration: ET.Element) -> str:
    """The arguments of a configuration: the property of that name, unless they are said in it.

    What is said may name that property, too, so that plug-ins can add to it (`@{argLine}`).
    """
    usual = text(pom, "properties", "argLine")
    stated = text(configuration, "argLine")
    return re.sub(r"[@$]\{argLine\}", lambda _: usual, stated) if stated else usual


def machine_arguments(line: str) -> list[str]:
    """Those of a command line that tests may be given, without what names properties."""
    known = re.sub(r"[@$]\{[\w.-]+\}", "", _TWO_WORDS.sub(r"\1=", line))
    words = (word for word in _words(known) if _ALLOWED.fullmatch(word))
    return [option for word in words if (option := _on_class_path(word))]


def _words(line: str) -> list[str]:
    """As a shell would have them; none where a quotation mark has no end."""
    try:
        return shlex.split(line)
    except ValueError:
        return []


def _on_class_path(option: str) -> str:
    """An option as it is without a module path; "" for none.

    The project's own modules cannot be added then, and the virtual machine would not start.
    """
    if not option.startswith(_ADDED):
        return option
    modules = [each for each in option[len(_ADDED) :].split(",") if _OF_THE_JDK.fullmatch(each)]
    return f"{_ADDED}{','.join(modules)}" if modules else ""


def _properties(configuration: ET.Element) -> Iterator[tuple[str, str]]:
    yield from _named(configuration, "systemPropertyVariables")
    for element in elements(configuration, "systemProperties", "property"):
        if name := text(element, "name"):
            yield name, text(element, "value")


def _named(configuration: ET.Element, block: str) -> Iterator[tuple[str, str]]:
    """The values of a block whose elements are named as they are."""
    for around in elements(configuration, block):
        for element in around:
            yield element.tag.rpartition("}")[2], (element.text or "").strip()
