"""Environments in which tests can be loaded: what they lack is found, added, and tried again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from evaluator.environment.types import Addition, Environment, Recipe
from evaluator.errors import EnvironmentBuildError
from evaluator.execution import Subject
from evaluator.model import Phase, Revision, Run
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

    At most MOST_ADDITIONS are tried. One that cannot be installed, or without which as much is
    lacking as with it, is not kept. Raises what `prepare` and `run` raise, but for
    EnvironmentBuildError on account of an addition.
    """

    def make(recipe_for: RecipeFor, added: tuple[Addition, ...]) -> _State:
        subject = prepare(recipe_for)
        return _State(subject, run(subject), added)

    state = make(recipe_for, ())
    tried: set[str] = set()
    while untried := _untried(state, tried):
        together = _together(untried)
        tried |= {addition.package for addition in together}
        state = _with_useful(make, state, together)
    return Repaired(state.subject, state.added)


@dataclass(frozen=True)
class _State:
    """A subject, what its tests showed, and what was added to it."""

    subject: Subject
    runs: Sequence[Run]
    added: tuple[Addition, ...]

    @property
    def environment(self) -> Environment:
        return self.subject.environments[Revision.BASE]

    @property
    def unloaded(self) -> int:
        """How many files could not be loaded."""
        outcomes = (outcome for run in self.runs for outcome in run.outcomes.values())
        return sum(each.status.fails and each.phase is Phase.COLLECTION for each in outcomes)

    def gains(self, addition: Addition, tried: _State) -> bool:
        """Whether an addition is of use, by what was tried with it."""
        loads_more = not addition.uncertain or tried.unloaded < self.unloaded
        return loads_more and not tried.lacks(addition.what)

    def lacks(self, what: str) -> bool:
        lacking, tree = self.subject.language.environments.lacking, self.subject.pristine
        outcomes = (outcome for run in self.runs for outcome in run.outcomes.values())
        return any(lacking(self.environment, outcome, tree) == what for outcome in outcomes)


_Make = Callable[[RecipeFor, tuple[Addition, ...]], _State]
"""Makes the state for a recipe with some additions. Raises EnvironmentBuildError."""


def _untried(state: _State, tried: Collection[str]) -> list[Addition]:
    """What may still be added, each package once; nothing when enough was tried."""
    additions = state.subject.language.environments.additions
    tree = state.subject.pristine
    found = [each for run in state.runs for each in additions(state.environment, run, tree)]
    new: dict[str, Addition] = {}
    for addition in found:
        if addition.package not in tried:
            new.setdefault(addition.package, addition)
    return [*new.values()][: MOST_ADDITIONS - len(tried)]


def _together(untried: Sequence[Addition]) -> tuple[Addition, ...]:
    """What is tried next: all packages in one go, anything else alone."""
    if untried[0].alone:
        return (untried[0],)
    return tuple(each for each in untried if not each.alone)


def _with_useful(make: _Make, state: _State, together: tuple[Addition, ...]) -> _State:
    """The state with those of the additions that helped; each is tried alone where all fail."""
    recipe = _recipe(state.environment.recipe, together)
    try:
        tried = make(lambda _: recipe, (*state.added, *together))
    except EnvironmentBuildError:
        if len(together) == 1:
            return state
        for addition in together:
            state = _with_useful(make, state, (addition,))
        return state
    useful = tuple(each for each in together if state.gains(each, tried))
    if useful == together:
        return tried
    return _with_useful(make, state, useful) if useful else state


def _recipe(before: Recipe, additions: tuple[Addition, ...]) -> Recipe:
    if additions[0].alone:
        return additions[0].recipe
    packages = (*before.additional_packages, *(addition.package for addition in additions))
    return dataclasses.replace(before, additional_packages=packages)
