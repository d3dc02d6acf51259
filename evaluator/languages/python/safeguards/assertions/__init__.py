"""Whether tests notice when their expected values are replaced by others of the same type."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.diff import Source
from evaluator.environment.types import Environment
from evaluator.languages.python.safeguards.assertions.inserted import inserted
from evaluator.languages.python.safeguards.assertions.negating import negated, undefined
from evaluator.languages.python.sources.imports import import_roots
from evaluator.languages.python.sources.reached import reached
from evaluator.languages.safeguards import NegatedTests


def negate_assertions(
    files: Sequence[str],
    functions: frozenset[str],
    read: Source,
    environment: Environment,
    key: str,
) -> NegatedTests:
    """Test files, and those that they reach, rewritten so that `functions` try their assertions."""
    code = inserted(key)
    contents = reached(files, read, import_roots(environment))
    made = undefined(contents.values(), functions)
    found = {path: negated(content, functions, code, made) for path, content in contents.items()}
    return NegatedTests(
        contents={path: each.content for path, each in found.items()},
        functions=frozenset().union(*(each.tests for each in found.values())),
        token=code.token,
    )
