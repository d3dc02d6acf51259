"""Whether tests notice when their expected values are replaced by others of the same type."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.diff import Source
from evaluator.environment.types import Environment
from evaluator.languages.java.safeguards.assertions.inserted import inserted
from evaluator.languages.java.safeguards.assertions.negating import negated
from evaluator.languages.java.safeguards.assertions.reached import reached
from evaluator.languages.safeguards import NegatedTests


def negate_assertions(
    files: Sequence[str],
    functions: frozenset[str],
    read: Source,
    environment: Environment,  # noqa: ARG001 - as of any language
    key: str,
) -> NegatedTests:
    """Test files, and those that they reach, rewritten so that `functions` try their assertions."""
    contents = reached(files, read)
    if not contents:
        return NegatedTests()
    first = next(iter(contents))
    code = inserted(key, first, contents[first])
    found = {path: negated(content, functions, code.name) for path, content in contents.items()}
    return NegatedTests(
        contents={code.path: code.content} | {path: each.content for path, each in found.items()},
        functions=frozenset().union(*(each.tests for each in found.values())),
        token=code.token,
    )


__all__ = ["negate_assertions"]
