"""Writes a project's metadata next to its sources, as an editable install would.

Plugins and command-line programs are found through it, and a project asks it for its own version.
Writing it ourselves runs none of the project's code and needs none of its build tools. Formats:
https://packaging.python.org/en/latest/specifications/core-metadata/ and entry-points/ there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import VERSION_PATTERN

from evaluator.languages.python.environment.project import Project, load_pyproject
from evaluator.languages.python.environment.recipes import VERSION_VARIABLE
from evaluator.languages.python.environment.static import setup_arguments
from evaluator.languages.python.environment.types import PythonRecipe

UNTOLD_VERSION = "9999.0"
"""Where a version comes from history that a tree does not have: new enough for every `>=`."""

VERSION_FILE_KEYS = (
    ("setuptools_scm", "version_file"),
    ("setuptools_scm", "write_to"),
    ("hatch", "build", "hooks", "vcs", "version-file"),
    ("pdm", "version", "write_to"),
)


def version_for(project: Project, recipe: PythonRecipe) -> str:
    """The version to write: the recipe's, else the project's own, else a very new one.

    Of a version that PEP 440 does not allow (`3.4.0+`) the numbers are taken.
    """
    version = recipe.variables.get(VERSION_VARIABLE) or project.version
    numbers = re.match(
        rf"{VERSION_PATTERN}|\d+(\.\d+)*", version.strip(), re.VERBOSE | re.IGNORECASE
    )
    return numbers[0] if numbers else UNTOLD_VERSION


def has_metadata(tree: Path, recipe: PythonRecipe) -> bool:
    """Whether some import root of a tree already holds metadata."""
    roots = [tree / root for root in recipe.import_roots]
    return any(any(root.glob(f"*.{kind}-info")) for root in roots for kind in ("egg", "dist"))


def write_metadata(project: Project, recipe: PythonRecipe, tree: Path, target: Path) -> None:
    """Write `NAME.egg-info` and the generated version file under `target`, laid out as the tree.

    `tree` is only read. Nothing is written for a project whose files do not state its name.
    """
    version = version_for(project, recipe)
    if project.name:
        egg = f"{canonicalize_name(project.name).replace('-', '_')}.egg-info"
        _write_information(target / recipe.import_roots[0] / egg, project, version)
    file = _version_file(tree)
    if file and not (tree / file).exists():
        _write(target / file, f'__version__ = version = "{version}"\n{_tuple(version)}')


def _write_information(directory: Path, project: Project, version: str) -> None:
    lines = ["Metadata-Version: 2.1", f"Name: {project.name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {line}" for line in project.dependencies]
    _write(directory / "PKG-INFO", "\n".join(lines) + "\n")
    _write(directory / "requires.txt", "\n".join(_unconditional(project)) + "\n")
    sections = (
        "\n".join([f"[{group}]", *lines, ""]) for group, lines in project.entry_points.items()
    )
    _write(directory / "entry_points.txt", "\n".join(sections))


def _unconditional(project: Project) -> list[str]:
    """What old pkg_resources reads; it knows no markers here, so those lines are left out."""
    return [line for line in project.dependencies if ";" not in line]


def _tuple(version: str) -> str:
    numbers = [part for part in version.split(".") if part.isdigit()]
    return f"__version_tuple__ = version_tuple = ({', '.join(numbers)},)\n"


def _version_file(tree: Path) -> str:
    """The module that a tool writes the version to when the project is built; "" for none."""
    tools = load_pyproject(tree).get("tool", {})
    for keys in VERSION_FILE_KEYS:
        if isinstance(file := _at(tools, keys), str):
            return _inside(tree, file)
    arguments = setup_arguments(tree / "setup.py").get("use_scm_version")
    written = arguments.get("write_to", "") if isinstance(arguments, dict) else ""
    return _inside(tree, written) if isinstance(written, str) else ""


def _at(table: Any, keys: tuple[str, ...]) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _inside(tree: Path, file: str) -> str:
    inside = file and (tree / file).resolve().is_relative_to(tree.resolve())
    return file if inside else ""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
