"""Whether tests notice when their expected values are replaced by others of the same type."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.diff import Source
from evaluator.environment.types import Environment
from evaluator.languages.java.environment.types import java_environment
from evaluator.languages.java.safeguards.assertions.inserted import inserted
from evaluator.languages.java.safeguards.assertions.negating import defines, negated
from evaluator.languages.java.safeguards.assertions.reached import reached
from evaluator.languages.safeguards import NegatedTests


def negate_assertions(
    files: Sequence[str],
    functions: frozenset[str],
    read: Source,
    environment: Environment,
    key: str,
) -> NegatedTests:
    """Test files, and those that they reach, rewritten so that `functions` try their assertions."""
    contents = reached(files, read, java_environment(environment).test_roots())
    if not contents:
        return NegatedTests()
    # Tests may be inherited from another module, which knows nothing of that of the heir.
    defining = [path for path, content in contents.items() if defines(content, functions)]
    beside = defining[-1] if defining else next(iter(contents))
    code = inserted(key, beside, contents[beside])
    found = {path: negated(content, functions, code.name) for path, content in contents.items()}
    return NegatedTests(
        contents={code.path: code.content} | {path: each.content for path, each in found.items()},
        functions=frozenset().union(*(each.tests for each in found.values())),
        token=code.token,
    )


__all__ = ["negate_assertions"]
