"""The recipes that come with fixgate: one TOML file a repository, beside this."""

from __future__ import annotations

import dataclasses
import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from packaging.version import InvalidVersion, Version
from pydantic import BeforeValidator, Field

from evaluator.environment.fields import FieldError, RecipeFields, Texts, listed, read_fields
from evaluator.errors import InputError
from evaluator.languages.python.environment.types import PythonRecipe, read_recipe

RECIPES = Path(__file__).parent
VERSION_VARIABLE = "SETUPTOOLS_SCM_PRETEND_VERSION"


class _File(RecipeFields):
    """A recipe file: what all its recipes have in common, and what each has for some versions."""

    repository: str
    version_file: str = ""
    version_pattern: str = ""
    defaults: dict[str, Any] = Field(default={})
    recipe: Annotated[tuple[dict[str, Any], ...], BeforeValidator(listed("recipes"))] = ()


class _Versions(RecipeFields):
    versions: Texts


@dataclass(frozen=True)
class NotKnown:
    """No recipe of ours fits. `versions` are those that the repository's file does have."""

    repo: str
    version: str
    versions: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.versions:
            return f"there is no known recipe for {self.repo}"
        known = ", ".join(self.versions)
        return f"there is no known recipe for {self.repo} {self.version or '(no version)'}: {known}"


@dataclass(frozen=True)
class RecipeFile:
    """One repository's recipes, keyed by version, and where its tree states its version."""

    repository: str
    recipes: Mapping[str, PythonRecipe]
    version_file: str = ""
    version_pattern: str = ""


def known_recipe(repo: str, version: str) -> PythonRecipe | NotKnown:
    """The recipe for `owner/name` at a version as the dataset writes it (`4.4`).

    Raises InputError when the recipe file of the repository is broken.
    """
    path = RECIPES / f"{repo.replace('/', '__')}.toml"
    if not path.is_file():
        return NotKnown(repo, version)
    recipes = load_recipe_file(path).recipes
    return recipes.get(version) or NotKnown(repo, version, tuple(recipes))


def version_of(repo: str, source: Path) -> str:
    """The version of a tree as the dataset writes it: the longest known one that its own fits.

    The tree's own version is read where the recipe file says (`version_file` and the first group
    of `version_pattern`). "" where the repository is not known or its tree does not say; the
    tree's own major.minor where no recipe has that version.
    """
    path = RECIPES / f"{repo.replace('/', '__')}.toml"
    if not path.is_file():
        return ""
    known = load_recipe_file(path)
    found = _search(known, source)
    fitting = [version for version in known.recipes if _is_prefix(version, found)]
    return max(fitting, key=len, default=".".join(found.split(".")[:2]))


def load_recipe_file(path: Path) -> RecipeFile:
    """Read and check one recipe file.

    Raises InputError naming the file, the recipe and the key that is wrong.
    """
    return _load(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _load(path: Path, _changed: int) -> RecipeFile:
    try:
        return _read(tomllib.loads(path.read_text(encoding="utf-8")), path)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error
    except FieldError as error:
        raise InputError(f"{path}: {error.key}: {error}") from error


def _read(data: Mapping[str, Any], path: Path) -> RecipeFile:
    file = read_fields(data, _File)
    if path.stem != file.repository.replace("/", "__"):
        raise FieldError("repository", f"`{file.repository}` is not {path.stem}", "rename the file")
    recipes: dict[str, PythonRecipe] = {}
    for number, table in enumerate(file.recipe):
        _add(recipes, {**file.defaults, **table}, f"recipe[{number}].")
    return RecipeFile(file.repository, recipes, file.version_file, file.version_pattern)


def _add(recipes: dict[str, PythonRecipe], table: dict[str, Any], within: str) -> None:
    try:
        versions = read_fields({"versions": table.pop("versions", None)}, _Versions).versions
        recipe = read_recipe(table)
    except FieldError as error:
        error.key = f"{within}{error.key}"
        raise
    for version in versions:
        if version in recipes:
            raise FieldError(f"{within}versions", f"`{version}` is there twice", "keep one of them")
        recipes[version] = _for_version(recipe, version)


def _for_version(recipe: PythonRecipe, version: str) -> PythonRecipe:
    """The recipe with the version given to setuptools_scm, since our trees have no history."""
    variables = {VERSION_VARIABLE: version, **recipe.variables}
    return dataclasses.replace(recipe, variables=variables, source=f"known recipe for {version}")


def _search(known: RecipeFile, source: Path) -> str:
    file = source / known.version_file
    if not known.version_file or not file.is_file():
        return ""
    match = re.search(known.version_pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    return match.group(1) if match else ""


def _is_prefix(version: str, found: str) -> bool:
    try:
        known, own = Version(version).release, Version(found).release
    except InvalidVersion:
        return False
    return own[: len(known)] == known
