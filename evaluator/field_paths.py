"""Where in a document something is wrong, in words: `tests[0].name`, or `$.tests[0].name`."""

from __future__ import annotations

from collections.abc import Iterable


def field_path(steps: Iterable[int | str]) -> str:
    """The keys and positions that lead to a value, as in JavaScript; "" for the document itself."""
    return json_path(steps).removeprefix("$").removeprefix(".")


def json_path(steps: Iterable[int | str]) -> str:
    """The same as a JSONPath (RFC 9535 without its quotes); `$` for the document itself."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
