"""Replaces assertions by others, and refuses whatever would change more than assertions."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from evaluator import PatchError
from evaluator.languages.python.blocks.code import parsed
from generator.languages.python.inverting.assertions import (
    Assertion,
    assertions_of,
    is_assertion,
    lines_in_strings,
)
from generator.replies import UnreadableReplyError


def replaced(code: str, tests: Collection[str], texts: Mapping[int, str]) -> str:
    """The code with the assertions of these numbers replaced, and every other byte as it was.

    What stands for an assertion must be assertions too; in the place of a block that expects an
    exception may also stand what the block holds, its value given a name or not. Raises
    UnreadableReplyError, saying which replacement is none, and PatchError for code that is no
    Python.
    """
    by_number = {assertion.number: assertion for assertion in assertions_of(code, tests)}
    unknown = sorted(texts.keys() - by_number.keys())
    if unknown:
        raise UnreadableReplyError(
            f"there is no assertion {unknown[0]}; they are numbered from 1 to {len(by_number)}"
        )
    content = code.encode()
    for number in sorted(texts, reverse=True):
        assertion = by_number[number]
        new = _indented(_checked(assertion, texts[number]), assertion)
        content = content[: assertion.start] + new.encode() + content[assertion.end :]
    result = content.decode()
    parsed(result)
    return result


def _checked(assertion: Assertion, text: str) -> str:
    try:
        statements = parsed(text).body
    except PatchError as error:
        raise _refused(assertion, f"is no valid Python: {error}") from error
    if not statements:
        raise _refused(assertion, "is empty")
    held = set(_held(assertion.node))
    for statement in statements:
        if not is_assertion(statement) and _without_name(statement) not in held:
            line = ast.unparse(statement).partition("\n")[0]
            raise _refused(assertion, f"holds `{line[:200]}`, which is no assertion")
    return text.strip("\n")


def _refused(assertion: Assertion, why: str) -> UnreadableReplyError:
    return UnreadableReplyError(f"the text for assertion {assertion.number} {why}")


def _held(node: ast.stmt) -> Iterator[str]:
    """The statements in a block that expects an exception, for comparison."""
    if isinstance(node, ast.With | ast.AsyncWith):
        yield from (_without_name(statement) for statement in node.body)


def _without_name(statement: ast.stmt) -> str:
    """A statement for comparison; `value = it()` is as good as `it()`."""
    names = isinstance(statement, ast.Assign) and all(
        isinstance(target, ast.Name) for target in statement.targets
    )
    kept = ast.Expr(statement.value) if isinstance(statement, ast.Assign) and names else statement
    return ast.dump(kept)


def _indented(text: str, assertion: Assertion) -> str:
    """The text moved to where the assertion stands; what is inside of strings is not moved."""
    first, *others = text.split("\n")
    if others and assertion.indent is None:
        raise _refused(assertion, "has several lines, for which there is no room in its line")
    fixed = lines_in_strings(parsed(text))
    moved = (
        line if number in fixed or not line.strip() else f"{assertion.indent}{line}"
        for number, line in enumerate(others, start=2)
    )
    return "\n".join([first, *moved])
