"""Poms as the thesis configures them (section 3.4.2, p. 16; its appendix A.1 is lost).

Of the plug-ins, those stay that make sources or belong to compiling; all others go, with their
settings, also those of surefire, which gets a release that runs the tests of all frameworks, and
JaCoCo's agent in place of the options that a parent outside of the tree gives it. The compiler
reports all errors.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from evaluator.languages.java.environment.pom import NAMESPACE, poms_of, text

_KEPT = frozenset(
    {"maven-compiler-plugin", "jaxb2-maven-plugin", "maven-jaxb2-plugin", "maven-jar-plugin"}
    | {"build-helper-maven-plugin", "antlr4-maven-plugin", "protoc-jar-maven-plugin"}
    | {"maven-bundle-plugin", "maven-shade-plugin", "maven-install-plugin"}
)
_COMPILER = "maven-compiler-plugin"
_SUREFIRE = ("maven-surefire-plugin", "3.5.4")
_PROPERTY = re.compile(r"[A-Za-z_][\w.-]*")
_ALL_ERRORS = ("-Xmaxerrs", "100000")
_AGENT = "@{argLine}"
"""https://maven.apache.org/surefire/maven-surefire-plugin/faq.html#late-property-evaluation"""


def configure(tree: Path) -> None:
    """Edit the poms of a tree; one that is no XML stays as it is."""
    ET.register_namespace("", NAMESPACE)
    for pom in poms_of(tree):
        try:
            document = ET.parse(pom)  # noqa: S314 - expat bounds what entities grow to
        except ET.ParseError:
            continue
        _drop_plugins(document.getroot())
        _set_version(document.getroot(), *_SUREFIRE)
        if pom == tree / "pom.xml":
            _configure_root(document.getroot())
        document.write(pom, encoding="utf-8", xml_declaration=True)


def _drop_plugins(project: ET.Element) -> None:
    for plugins in list(project.iter(f"{{{NAMESPACE}}}plugins")):
        for plugin in list(plugins):
            if text(plugin, "artifactId") not in _KEPT:
                plugins.remove(plugin)
                _leave_properties(project, plugin)


def _leave_properties(project: ET.Element, plugin: ET.Element) -> None:
    """Properties that a plug-in would set, such as JaCoCo's of options, are empty without it."""
    for named in plugin.iter(f"{{{NAMESPACE}}}propertyName"):
        name = (named.text or "").strip()
        if _PROPERTY.fullmatch(name):
            _child(_child(project, "properties"), name)


def _set_version(project: ET.Element, name: str, version: str) -> None:
    management = _child(_child(project, "build"), "pluginManagement")
    _child(_plugin(_child(management, "plugins"), name), "version").text = version


def _configure_root(project: ET.Element) -> None:
    """Give the root's own plug-ins what those of modules inherit."""
    plugins = _child(_child(project, "build"), "plugins")
    compiler, surefire = (
        _child(_plugin(plugins, name), "configuration") for name in (_COMPILER, _SUREFIRE[0])
    )
    arguments = _child(compiler, "compilerArgs")
    for argument in _ALL_ERRORS:
        _added(arguments, "arg").text = argument
    _child(surefire, "argLine").text = _AGENT


def _plugin(plugins: ET.Element, name: str) -> ET.Element:
    """A plug-in by its name, added if need be."""
    found = next((each for each in plugins if text(each, "artifactId") == name), None)
    if found is None:
        found = _added(plugins, "plugin")
        _child(found, "artifactId").text = name
    return found


def _child(parent: ET.Element, name: str) -> ET.Element:
    found = parent.find(f"{{{NAMESPACE}}}{name}")
    return _added(parent, name) if found is None else found


def _added(parent: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(parent, f"{{{NAMESPACE}}}{name}")
