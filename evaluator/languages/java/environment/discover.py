"""Finds out from a Java repository's own files how it is compiled and tested."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluator.environment.configuration import read_configuration
from evaluator.languages.java.environment.gradle.reading import read_script
from evaluator.languages.java.environment.gradle.scripts import has_scripts
from evaluator.languages.java.environment.maven1 import read_project
from evaluator.languages.java.environment.pom import separate_projects
from evaluator.languages.java.environment.types import JavaRecipe

_SOURCES = "src/main/java"


def discover_recipe(tree: Path) -> JavaRecipe:
    """The recipe that a tree describes; its `.github/fixgate.yml` has the last word.

    Raises InputError where that file is broken.
    """
    found = {"source": "the repository", **said_by_build(tree)}
    return JavaRecipe(**{**found, **read_configuration(tree, "java")})


def said_by_build(tree: Path) -> Mapping[str, Any]:
    """The fields of a recipe that the files of a tree's own build say.

    By the file at the root; Maven 1 lists what Ant, which often stands beside it, downloads.

    Poms in directories of a Gradle project are those of examples where the root has sources itself.
    """
    if (tree / "pom.xml").is_file():
        return {"build": "maven"}
    if listed := read_project(tree) or read_script(tree):
        return {"build": "javac", **listed}
    if (tree / "build.xml").is_file():
        return {"build": "ant"}
    has_poms = bool(separate_projects(tree))
    if has_scripts(tree) and ((tree / _SOURCES).is_dir() or not has_poms):
        return {"build": "gradle"}
    return {"build": "maven" if has_poms else ""}
