"""Instances as subjects: what tests are run on for them."""

from __future__ import annotations

from pathlib import Path

from evaluator.environment.types import Recipe
from evaluator.execution import Subject
from evaluator.languages import language
from evaluator.model import Instance
from evaluator.workspace import Workspace


def recipe_of(instance: Instance, tree: Path) -> Recipe:
    """The known recipe of an instance's repository and version, else one found from its files."""
    environments = language(instance.language).environments
    return environments.recipe(instance.repo, instance.version, tree)


def base_subject(workspace: Workspace, instance: Instance) -> Subject:
    """The base commit alone. Raises CheckoutError or EnvironmentBuildError."""
    return workspace.base(
        instance.repo,
        instance.base_commit,
        lambda tree: recipe_of(instance, tree),
        instance.created_at,
    )


def fixed_subject(workspace: Workspace, instance: Instance, fix: str) -> Subject:
    """The base commit, and it with a fix, a diff.

    Raises CheckoutError, PatchError (the fix does not apply) or EnvironmentBuildError.
    """
    return workspace.subject(
        instance.repo,
        instance.base_commit,
        fix,
        lambda tree: recipe_of(instance, tree),
        instance.created_at,
    )
