"""The variables under which a repository's programs and tests run."""

from __future__ import annotations

import os
from collections.abc import Mapping

from evaluator.environment.types import Environment
from evaluator.languages import framework_of

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def program_variables(environment: Environment, tree: str, *, seed: int = 0) -> dict[str, str]:
    """All variables of a program in the sandbox; `tree` is where it sees the work tree."""
    return {
        "PATH": os.pathsep.join([*map(str, environment.programs), SYSTEM_PATH]),
        **run_variables(environment, tree, seed=seed),
    }


def run_variables(environment: Environment, tree: str, *, seed: int = 0) -> Mapping[str, str]:
    """The variables that matter to the tests; `seed` is that of what is left to chance."""
    return {
        **environment.variables(tree, seed),
        **framework_of(environment.recipe).variables,
        **environment.recipe.variables,
    }
