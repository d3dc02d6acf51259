"""What an environment does without where a package cannot be built: it, and what needs it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import ToolError
from evaluator.environment.types import Uncompiled
from evaluator.languages.python.environment.binaries import is_compiled
from evaluator.languages.python.environment.choice import (
    BuildChoice,
    required_through,
    unbuilt,
    why_unbuilt,
)
from evaluator.languages.python.environment.install import METADATA, WHEEL
from evaluator.languages.python.environment.members import Member, imported_members
from evaluator.languages.python.environment.project import (
    is_virtual,
    read_project,
    requirement_name,
)
from evaluator.languages.python.environment.requirements import read_requirement_files
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.storage.keys import short_key

COMPILED_MODULES = "compiled modules of the project"
MOST_LEFT_OUT = 4
"""How many packages are left out at most because they cannot be built."""
_DOCUMENTS = (".md", ".rst")


@dataclass(frozen=True)
class Dispensable:
    """What may be left out for a recipe of a tree, of which the files `changed` are judged."""

    recipe: PythonRecipe
    tree: Path
    changed: Collection[str]

    @property
    def members_key(self) -> str:
        """What stands for the projects below the root and what each needs."""
        return short_key(*((each.folder, sorted(self._needs(each))) for each in self._members()))

    def one_less(
        self, choice: BuildChoice, error: ToolError, requirers: Mapping[str, Collection[str]]
    ) -> BuildChoice | None:
        """The choice without the package that could not be built, and without whom that breaks.

        None where one of them is needed. `requirers` says which packages require each, with "" for
        what is asked for itself.
        """
        package = unbuilt(error)
        if not package or len(choice.unbuilt) >= MOST_LEFT_OUT:
            return None
        needing, asked = _needing(package, error, requirers)
        if package not in self.recipe.optional_packages and not self._optional(asked):
            return None
        reason = f"{package} cannot be built: {why_unbuilt(error)}"
        members = {**choice.members, **dict.fromkeys(self._folders(needing), reason)}
        less = BuildChoice(choice.version, (*choice.unbuilt, package), members)
        return less if self.allows(less) else None

    def allows(self, choice: BuildChoice) -> bool:
        """Whether a choice leaves out nothing that is judged, or that all needs."""
        compiled = not choice.uncompiled or not any(map(is_compiled, self.changed))
        return compiled and self._allows(choice.members)

    def without_compiled(self, version: str, error: ToolError) -> BuildChoice | None:
        """The choice without compiled modules of the project itself, which failed to build.

        None where they are needed.
        """
        choice = BuildChoice(version, uncompiled=why_unbuilt(error))
        optional = self.recipe.compiled_is_optional and self.recipe.install == WHEEL
        return choice if optional and self.allows(choice) else None

    def _allows(self, folders: Collection[str]) -> bool:
        judged = (path for path in self.changed if not path.endswith(_DOCUMENTS))
        if any(path.startswith(f"{folder}/") for path in judged for folder in folders):
            return False
        present = self._members()
        left = {requirement_name(each.project.name) for each in present if each.folder in folders}
        root = read_project(self.tree)
        needed = set() if is_virtual(self.tree) else {*map(requirement_name, root.dependencies)}
        return not left & needed and (not left or len(left) < len(present))

    def _optional(self, asked: Collection[str]) -> bool:
        return bool(asked) and {*asked} <= {*self.recipe.optional_packages}

    def _members(self) -> tuple[Member, ...]:
        return imported_members(self.tree, self.recipe.import_roots)

    def _folders(self, needing: Collection[str]) -> Iterator[str]:
        """The directories of those that need such a package, and of those that need such ones."""
        names, members = {*needing}, [*self._members()]
        while found := [each for each in members if self._needs(each) & names]:
            members = [each for each in members if each not in found]
            names |= {requirement_name(each.project.name) for each in found}
            yield from (each.folder for each in found)

    def _needs(self, member: Member) -> set[str]:
        """The names of what a project depends on; files list it where it declares nothing."""
        files = [f for f in self.recipe.requirement_files if f.startswith(f"{member.folder}/")]
        declared = member.project.dependencies
        return {*map(requirement_name, declared or read_requirement_files(self.tree, files)[0])}


def recipe_without(recipe: PythonRecipe, tree: Path, choice: BuildChoice) -> PythonRecipe:
    """The recipe without what a choice leaves out: sources of projects, and compiled modules."""
    members = imported_members(tree, recipe.import_roots)
    gone = {each.import_root for each in members if each.folder in choice.members}
    named = tuple(Uncompiled(*item) for item in choice.members.items())
    if choice.uncompiled:
        recipe = dataclasses.replace(recipe, install=METADATA)
        named = (Uncompiled(COMPILED_MODULES, choice.uncompiled), *named)
    return dataclasses.replace(
        recipe,
        import_roots=tuple(root for root in recipe.import_roots if root not in gone),
        left_out=(*recipe.left_out, *named),
    )


def _needing(
    package: str, error: ToolError, requirers: Mapping[str, Collection[str]]
) -> tuple[set[str], set[str]]:
    """Who requires a package, directly or not, itself included, and which of them is asked for."""
    through = required_through(error)
    found = _reached(package, requirers) | {*through}
    return found, {name for name in found if "" in requirers.get(name, ())} | {*through[:1]}


def _reached(package: str, requirers: Mapping[str, Iterable[str]]) -> set[str]:
    found, waiting = {package}, [package]
    while waiting:
        more = {*requirers.get(waiting.pop(), ())} - found - {""}
        found |= more
        waiting += more
    return found
