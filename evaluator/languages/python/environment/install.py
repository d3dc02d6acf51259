"""The project's own build step, run on a private copy of its tree inside the sandbox.

Plugins and command-line programs are found through the metadata, and a project asks it for its own
version. Writing it ourselves runs none of the project's code and needs none of its build tools.
Formats:
https://packaging.python.org/en/latest/specifications/core-metadata/ and entry-points/ there.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import VERSION_PATTERN
from uv import find_uv_bin

from evaluator.environment.tools import (
    BUILD_LIMITS,
    at_own_path,
    copy_tree,
    link_file,
    only_file,
    regular_files,
    run_command,
)
from evaluator.languages.python.environment.binaries import choose, is_lacked, lay, unpack
from evaluator.languages.python.environment.generated_sources import cython_commands
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.members import imported_members
from evaluator.languages.python.environment.project import (
    Project,
)
from evaluator.languages.python.environment.recipes import VERSION_VARIABLE
from evaluator.languages.python.environment.static import setup_arguments
from evaluator.languages.python.environment.tables import load_pyproject
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.environment.uv import Uv
from evaluator.sandbox.protocol import Command

UNTOLD_VERSION = "9999.0.0"
"""Where a version comes from history that a tree does not have: new enough for every `>=`.

Of three numbers, since projects take their own version apart (nbformat).
"""

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
    lines = (" ".join(line.split()) for line in _core_metadata(project, version))
    _write(directory / "PKG-INFO", "\n".join(lines) + "\n")
    _write(directory / "requires.txt", "\n".join(_unconditional(project)) + "\n")
    sections = (
        "\n".join([f"[{group}]", *lines, ""]) for group, lines in project.entry_points.items()
    )
    _write(directory / "entry_points.txt", "\n".join(sections))


def _core_metadata(project: Project, version: str) -> Iterator[str]:
    yield from ("Metadata-Version: 2.4", f"Name: {project.name}", f"Version: {version}")
    for name, values in project.fields.items():
        yield from (f"{name}: {value}" for value in values)
    yield from (f"Classifier: {line}" for line in project.classifiers)
    if project.requires_python:
        yield f"Requires-Python: {project.requires_python}"
    yield from (f"Requires-Dist: {line}" for line in project.dependencies)


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


METADATA = "metadata"
WHEEL = "wheel"
CORES = str(os.cpu_count() or 1)
LEFT_OUT = ("__pycache__", "build", ".eggs")


@dataclass(frozen=True)
class ProjectBuild:
    """What the project's own build needs: its tree, and an environment that has its tools."""

    recipe: PythonRecipe
    project: Project
    tree: Path
    interpreter: Interpreter
    environment: Path

    def fill(self, uv: Uv, install: str, place: Path) -> None:
        """Run the step and put the files that it creates under `place`, laid out as the tree.

        `metadata` writes the project's metadata; `wheel` builds a wheel of the tree and takes its
        compiled and generated files; anything else is a shell command. Raises ToolError.
        """
        place.mkdir()
        if install != METADATA or self.recipe.pre_install:
            with uv.scratch() as scratch:
                copy = scratch / "tree"
                copy_tree(self.tree, copy)
                self._run(uv, install, scratch, copy)
                self._keep(install, scratch, copy, place)
        if not has_metadata(place, self.recipe):
            write_metadata(self.project, self.recipe, self.tree, place)
            self._describe_members(place)

    def _describe_members(self, place: Path) -> None:
        """Write the metadata of the projects below, where their sources are imported."""
        for member in imported_members(self.tree, self.recipe.import_roots):
            project, folder = member.project, member.folder
            recipe = dataclasses.replace(self.recipe, import_roots=(project.source_root,))
            write_metadata(project, recipe, self.tree / folder, place / folder)

    def _run(self, uv: Uv, install: str, scratch: Path, copy: Path) -> None:
        steps = [*self.recipe.pre_install]
        if install == WHEEL:
            steps += cython_commands(copy)
            steps.append(
                f"'{find_uv_bin()}' build --wheel --no-build-isolation --offline "
                f"--no-cache --python '{self.environment}/bin/python' -o '{scratch}/dist'"
            )
        elif install != METADATA:
            steps.append(install)
        run_command(uv.sandbox, self._command("\n".join(steps), scratch, copy))

    def _command(self, script: str, scratch: Path, copy: Path) -> Command:
        """The script with the environment active and nothing but the scratch copy writable."""
        visible = [self.environment, self.interpreter.prefix, Path(find_uv_bin())]
        return Command(
            argv=("/bin/sh", "-e", "-c", script),
            directory=str(copy),
            mounts=(*map(at_own_path, visible), at_own_path(scratch, writable=True)),
            environment=self._variables(scratch),
            limits=BUILD_LIMITS,
            purpose=f"building {self.project.name or 'the project'}",
        )

    def _variables(self, scratch: Path) -> dict[str, str]:
        return {
            "PATH": f"{self.environment}/bin:/usr/local/bin:/usr/bin:/bin",
            "VIRTUAL_ENV": str(self.environment),
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "PIP_NO_INDEX": "1",
            "NPY_NUM_BUILD_JOBS": CORES,
            "CMAKE_BUILD_PARALLEL_LEVEL": CORES,
            "SETUPTOOLS_SCM_PRETEND_VERSION": version_for(self.project, self.recipe),
            **self.recipe.variables,
        }

    def _keep(self, install: str, scratch: Path, copy: Path, place: Path) -> None:
        """Link what is new. Changed files are not kept: they would hide what a fix changes."""
        if install == WHEEL:
            unpack(only_file(scratch / "dist", "*.whl"), scratch / "wheel")
            chosen = choose(scratch / "wheel", self.tree, self.recipe.import_roots)
            lay(scratch / "wheel", chosen, place)
            return
        for file in regular_files(copy):
            if is_lacked(file, self.tree) and not set(LEFT_OUT) & set(PurePosixPath(file).parts):
                link_file(copy / file, place / file)
