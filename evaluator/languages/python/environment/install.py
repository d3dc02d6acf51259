"""The project's own build step, run on a private copy of its tree inside the sandbox."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from uv import find_uv_bin

from evaluator.environment.files import copy_tree, link_file, only_file, regular_files
from evaluator.environment.tools import BUILD_LIMITS, at_own_path, run_command
from evaluator.languages.python.environment.binaries import choose, lay, unpack
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.metadata import (
    has_metadata,
    version_for,
    write_metadata,
)
from evaluator.languages.python.environment.project import Project
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.languages.python.environment.uv import Uv
from evaluator.sandbox.protocol import Command

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
                self._keep(uv, install, scratch, copy, place)
        if not has_metadata(place, self.recipe):
            write_metadata(self.project, self.recipe, self.tree, place)

    def _run(self, uv: Uv, install: str, scratch: Path, copy: Path) -> None:
        steps = [*self.recipe.pre_install]
        if install == WHEEL:
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

    def _keep(self, uv: Uv, install: str, scratch: Path, copy: Path, place: Path) -> None:
        """Link what is new. Changed files are not kept: they would hide what a fix changes."""
        if install == WHEEL:
            unpack(only_file(scratch / "dist", "*.whl"), scratch / "wheel")
            chosen = choose(uv, scratch / "wheel", self.tree, self.recipe.import_roots)
            lay(scratch / "wheel", chosen, place)
            return
        for file in regular_files(copy):
            new = not (self.tree / file).exists()
            if new and not set(LEFT_OUT) & set(PurePosixPath(file).parts):
                link_file(copy / file, place / file)
