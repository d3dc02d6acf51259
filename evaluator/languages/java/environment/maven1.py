"""What the `project.xml` of Maven 1 says, which lists everything (Maven 1 itself is not run)."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path

FILE = "project.xml"


def read_project(tree: Path) -> Mapping[str, tuple[str, ...]]:
    """The fields of a recipe: `sources`, `tests`, `dependencies`, and `arguments` for the level.

    Empty where there is no such file, or where it does not say all of them literally.
    """
    try:
        root = ET.parse(tree / FILE).getroot()  # noqa: S314
    except (OSError, ET.ParseError):
        return {}
    found = {
        "sources": tuple(_directories(root, tree, "sourceDirectory", "resources")),
        "tests": tuple(_directories(root, tree, "unitTestSourceDirectory", "unitTest/resources")),
        "dependencies": tuple(_dependencies(root)),
    }
    literal = all("${" not in text for texts in found.values() for text in texts)
    if not literal or not all(found.values()) or root.find("extend") is not None:
        return {}
    return {**found, "arguments": ("--release", "8")}


def _directories(root: ET.Element, tree: Path, name: str, resources: str) -> Iterator[str]:
    """The directory of the sources, and those whose content is copied beside their classes."""
    own = _text(root, f"build/{name}")
    yield from filter(None, [own])
    for resource in root.iterfind(f"build/{resources}/resource"):
        directory = _text(resource, "directory")
        inside = directory not in ("", ".", own, "${basedir}") and "${pom.build" not in directory
        if inside and not _text(resource, "targetPath") and (tree / directory).is_dir():
            yield directory


def _dependencies(root: ET.Element) -> Iterator[str]:
    for each in root.iterfind("dependencies/dependency"):
        if _text(each, "type") in ("", "jar"):
            name = _text(each, "artifactId") or _text(each, "id")
            yield f"{_text(each, 'groupId') or _text(each, 'id')}:{name}:{_text(each, 'version')}"


def _text(element: ET.Element, path: str) -> str:
    return (element.findtext(path) or "").strip()
