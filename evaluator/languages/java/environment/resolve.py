"""Has Maven say what a project consists of, once for each tree."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import ToolError, copy_tree, link_file, regular_files
from evaluator.languages.java.environment.jdk import Jdk, find_jdk
from evaluator.languages.java.environment.maven import DEPENDENCY, HELP, Maven
from evaluator.languages.java.environment.project import (
    CLASS_PATH,
    Module,
    described,
    jupiter_of,
    level_of,
    read_modules,
)
from evaluator.languages.java.environment.types import JavaRecipe

FORMAT = 2
"""Of the files of a project: another number where what is written there means something else."""

# Checks of style, licences and releases say nothing about tests.
SKIPPED = (
    *("enforcer", "rat", "checkstyle", "animal.sniffer", "jacoco", "spotbugs", "findbugs", "pmd"),
    *("cpd", "license", "maven.javadoc", "maven.source", "gpg", "japicmp", "spotless.check"),
    *("maven.gitcommitid", "cyclonedx", "maven.main", "moditect", "proguard"),
)


@dataclass(frozen=True)
class Project:
    """What was found out of a tree, in files under `place`.

    `project.json` is for the probe's compiler; `overlay` are generated files, to be laid over every
    tree of this commit; `repository` holds the jars.
    """

    place: Path

    @property
    def file(self) -> Path:
        """The units and how they are compiled."""
        return self.place / "project.json"

    @property
    def overlay(self) -> Path:
        """Generated sources and resources."""
        return self.place / "overlay"

    @property
    def facts(self) -> dict[str, str]:
        """`level` of the language, and the version of `jupiter`, "" where tests need none."""
        found: dict[str, str] = json.loads((self.place / "facts.json").read_text(encoding="utf-8"))
        return found


@dataclass(frozen=True)
class Resolving:
    """One tree that is to be resolved. `beginning` is a local repository to begin with."""

    maven: Maven
    recipe: JavaRecipe
    tree: Path
    beginning: Path

    def fill(self, place: Path) -> None:
        """Write what `Project` reads. Raises ToolError."""
        place.mkdir()
        copy_tree(self.beginning, place / "repository")
        copy = place / "work" / "tree"
        copy_tree(self.tree, copy)
        modules = self._resolve(place, copy)
        jdk = find_jdk(self.recipe.java, level_of(modules))
        self._keep(place, copy, modules, jdk)
        _keep_jars(place / "repository", modules)
        shutil.rmtree(place / "work")

    def _resolve(self, place: Path, copy: Path) -> tuple[Module, ...]:
        """First without the project's own plugins; with them where that is not enough."""
        effective = place / "work" / "effective.xml"
        asked = [f"{HELP}:effective-pom", f"-Doutput={effective}"]
        resolved = [f"{DEPENDENCY}:build-classpath", f"-Dmdep.outputFile={CLASS_PATH}"]
        first: ToolError | None = None
        try:
            self._run(place, copy, [*asked, *resolved])
        except ToolError as error:
            first = error
        modules = read_modules(effective) if effective.is_file() else ()
        generates = any(module.generates for module in modules)
        if modules and (first is not None or generates):
            # Some modules may be out of reach while those that matter are not.
            with contextlib.suppress(ToolError):
                self._run(place, copy, [_phase(copy), *resolved])
        found = tuple(module for module in modules if module.resolved)
        if not found:
            raise first or ToolError("there is no module with code in this project")
        return found

    def _run(self, place: Path, copy: Path, goals: Sequence[str]) -> None:
        options = ["-fae", *(f"-D{name}.skip=true" for name in SKIPPED), *self.recipe.arguments]
        if self.recipe.modules:
            options += ["-pl", ",".join(self.recipe.modules), "-am"]
        self.maven.run(
            [*options, *goals],
            directory=copy,
            private=place / "work",
            repository=place / "repository",
        )

    def _keep(self, place: Path, copy: Path, modules: Sequence[Module], jdk: Jdk) -> None:
        overlay = place / "overlay"
        overlay.mkdir()
        for file in regular_files(copy):
            if "/target/generated-" in f"/{file}":
                link_file(copy / file, overlay / file)
        project = json.dumps(described(modules, copy, jdk.version))
        (place / "project.json").write_text(project, encoding="utf-8")
        facts = {"level": str(level_of(modules)), "jupiter": jupiter_of(modules)}
        (place / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _keep_jars(repository: Path, modules: Sequence[Module]) -> None:
    """Remove what only Maven needed: plugins, poms, and jars of other projects."""
    needed = {entry for module in modules for entry in module.class_path}
    for file in regular_files(repository):
        if str(repository / file) not in needed:
            (repository / file).unlink()


def _phase(tree: Path) -> str:
    """The phase after which sources are there; modules see each other from `compile` on only."""
    has_modules = b"<module>" in (tree / "pom.xml").read_bytes()
    return "compile" if has_modules else "process-resources"
