"""Where in a document something is wrong, in words: `tests[0].name`, or `$.tests[0].name`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


def field_path(steps: Iterable[int | str]) -> str:
    """The keys and positions that lead to a value, as in JavaScript; "" for the document itself."""
    return json_path(steps).removeprefix("$").removeprefix(".")


def json_path(steps: Iterable[int | str]) -> str:
    """The same as a JSONPath (RFC 9535 without its quotes); `$` for the document itself."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def problem_lines(error: ValidationError) -> str:
    """Each problem of a file on a new line, indented, with its place."""
    return "".join(
        f"\n  {field_path(one['loc']) or 'the file'}: {one['msg']}"
        for one in error.errors(include_url=False)
    )
