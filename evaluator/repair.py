"""Environments in which tests can be loaded: what they lack is found, added, and tried again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
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
    runs = run(found.subject)
    tried: set[str] = set()
    while untried := _untried(found.subject, runs, tried):
        addition = untried[0]
        tried.add(addition.package)
        subject = _prepared(prepare, addition.recipe)
        again = () if subject is None else run(subject)
        if subject is not None and not _lacks(addition.what, subject, again):
            found, runs = Repaired(subject, (*found.added, addition)), again
    return found


def _prepared(prepare: Prepare, recipe: Recipe) -> Subject | None:
    """The subject for a recipe with an addition, None where that cannot be installed."""
    try:
        return prepare(lambda _: recipe)
    except EnvironmentBuildError:
        return None


def _untried(subject: Subject, runs: Sequence[Run], tried: Collection[str]) -> list[Addition]:
    """What may still be added; nothing once enough was tried."""
    if len(tried) == MOST_ADDITIONS:
        return []
    environment = subject.environments[Revision.BASE]
    additions = subject.language.environments.additions
    found = [each for run in runs for each in additions(environment, run, subject.pristine)]
    return [each for each in found if each.package not in tried]


def _lacks(what: str, subject: Subject, runs: Iterable[Run]) -> bool:
    environment = subject.environments[Revision.BASE]
    lacking = subject.language.environments.lacking
    outcomes = (outcome for run in runs for outcome in run.outcomes.values())
    return any(lacking(environment, outcome, subject.pristine) == what for outcome in outcomes)
