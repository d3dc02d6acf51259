"""The variables under which a repository's programs and tests run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath

from evaluator.environment.types import Environment
from evaluator.languages.python.frameworks import framework

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def program_variables(environment: Environment, tree: str, *, seed: int = 0) -> dict[str, str]:
    """All variables of a program in the sandbox; `tree` is where it sees the work tree."""
    return {
        "PATH": f"{environment.python.parent}:{SYSTEM_PATH}",
        **python_variables(environment, tree, seed=seed),
    }


def python_variables(environment: Environment, tree: str, *, seed: int = 0) -> Mapping[str, str]:
    """The variables that matter to the tests; `seed` is that of string hashes."""
    recipe = environment.recipe
    return {
        "PYTHONPATH": os.pathsep.join(
            str(PurePosixPath(tree, root)) for root in recipe.import_roots
        ),
        "PYTHONHASHSEED": str(seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        **framework(recipe.framework).variables,
        **recipe.variables,
    }
