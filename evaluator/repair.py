"""Environments in which tests can be loaded: what they lack is found, added, and tried again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.environment.types import Addition, Recipe
from evaluator.errors import EnvironmentBuildError
from evaluator.execution import Subject
from evaluator.model import Revision, Run
from evaluator.workspace import RecipeFor

MOST_ADDITIONS = 8
"""Packages that are tried for one repository at one commit."""

Prepare = Callable[[RecipeFor], Subject]
"""Makes the subject for a recipe. Raises EnvironmentBuildError."""
RunTests = Callable[[Subject], Sequence[Run]]
"""Runs the tests that are to be loaded, on the base commit."""


@dataclass(frozen=True)
class Repaired:
    """A subject, and what was added to the recipe that its repository describes."""

    subject: Subject
    added: tuple[Addition, ...] = ()


def repaired(prepare: Prepare, recipe_for: RecipeFor, run: RunTests) -> Repaired:
    """The subject with packages added as long as more tests can be loaded with them.

    Each package is tried alone, at most MOST_ADDITIONS in all; one that cannot be installed, or
    without which as much is lacking as with it, is not kept. Raises what `prepare` and `run` raise,
    but for EnvironmentBuildError on account of an addition.
    """
    found = Repaired(prepare(recipe_for))
    lacking = _lacking(found.subject, run)
    tried: set[str] = set()
    while untried := [each for each in lacking if each.package not in tried]:
        if len(tried) == MOST_ADDITIONS:
            break
        addition = untried[0]
        tried.add(addition.package)
        subject = _prepared(prepare, addition.recipe)
        left = lacking if subject is None else _lacking(subject, run)
        if subject is not None and addition.what not in {each.what for each in left}:
            found, lacking = Repaired(subject, (*found.added, addition)), left
    return found


def _prepared(prepare: Prepare, recipe: Recipe) -> Subject | None:
    """The subject for a recipe with an addition, None where that cannot be installed."""
    try:
        return prepare(lambda _: recipe)
    except EnvironmentBuildError:
        return None


def _lacking(subject: Subject, run: RunTests) -> list[Addition]:
    environment = subject.environments[Revision.BASE]
    additions = subject.language.environments.additions
    found = [a for each in run(subject) for a in additions(environment, each, subject.pristine)]
    return list({addition.package: addition for addition in found}.values())
