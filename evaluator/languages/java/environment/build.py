"""Builds Java environments, once for everyone who needs them."""

from __future__ import annotations

import datetime
from pathlib import Path

from evaluator.environment.types import Recipe
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.types import JavaEnvironment, java_recipe
from evaluator.sandbox.protocol import Sandbox


class JavaBuilder:
    """Builds environments and keeps them under `cache`, safe for many processes at once."""

    def __init__(
        self, cache: Path, *, sandbox: Sandbox, ca_bundle: Path | None, offline: bool
    ) -> None:
        self._cache = cache.resolve()
        self._sandbox = sandbox
        self._ca_bundle = ca_bundle
        self._offline = offline

    def build(
        self,
        recipe: Recipe,
        *,
        date: datetime.date | None,
        tree: Path,
        tree_key: str,
        rebuild_compiled: bool = False,
    ) -> JavaEnvironment:
        """The environment of a recipe for a tree. Raises EnvironmentBuildError."""
        own = java_recipe(recipe)
        raise EnvironmentBuildError("Java repositories cannot be built yet", recipe=str(own))
