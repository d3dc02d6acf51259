"""What a project's surefire plug-in gives the virtual machine of its tests.

See https://maven.apache.org/surefire/maven-surefire-plugin/test-mojo.html.
"""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from evaluator.languages.java.environment.pom import elements, plugins, text

TREE = "{tree}"
"""Stands for the work tree, wherever it is."""
_ALLOWED = re.compile(
    r"-D.+|-X(?:mx|ms|ss)\w+|-(?:ea|da|enableassertions|disableassertions)(?::.*)?"
    r"|--(?:add-(?:opens|exports|modules|reads)|enable-native-access)=.+|--enable-preview"
)
_TWO_WORDS = re.compile(r"(--(?:add-(?:opens|exports|modules|reads)|enable-native-access))\s+")
_LAST_OPEN_LEVEL = 15
_OPEN = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in (
        *("java.io", "java.lang", "java.lang.invoke", "java.lang.reflect", "java.math"),
        *("java.net", "java.nio", "java.nio.charset", "java.security", "java.text", "java.time"),
        *("java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.regex"),
        *("sun.net.www.protocol.http", "sun.nio.ch", "sun.security.util", "sun.util.calendar"),
    )
)
"""Up to Java 15 code could look into these packages of the JDK, and old tests do."""


def open_packages(level: int) -> tuple[str, ...]:
    """Options of the virtual machine by which code of a level sees of the JDK what it could."""
    return _OPEN if level <= _LAST_OPEN_LEVEL else ()


def machine_options(pom: ET.Element, level: int, tree: str) -> list[str]:
    """Options of the virtual machine, from an effective pom that was made for `tree`.

    Agents, and what names properties that Maven does not know, are left out.
    """
    options = list(open_packages(level))
    for configuration in _configurations(pom):
        options += _arguments(text(configuration, "argLine"))
        options += [f"-D{name}={value}" for name, value in _properties(configuration)]
        if text(configuration, "enableAssertions") == "false":
            options.append("-da")
    return [option.replace(tree, TREE) for option in options if "${" not in option]


def variables(pom: ET.Element, tree: str) -> Mapping[str, str]:
    """Environment variables of the tests."""
    found: dict[str, str] = {}
    for configuration in _configurations(pom):
        for name, value in _named(configuration, "environmentVariables"):
            found[name] = value.replace(tree, TREE)
    return {name: value for name, value in found.items() if "${" not in value}


def _configurations(pom: ET.Element) -> Iterator[ET.Element]:
    for plugin in plugins(pom, "maven-surefire-plugin"):
        yield from elements(plugin, "configuration")


def _arguments(line: str) -> list[str]:
    known = re.sub(r"[@$]\{[\w.-]+\}", "", _TWO_WORDS.sub(r"\1=", line))
    try:
        return [word for word in shlex.split(known) if _ALLOWED.fullmatch(word)]
    except ValueError:  # A quotation mark without its end.
        return []


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
