"""What stands between a model's wish to submit and the end of its work."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.diff import Changes

Gate = Callable[[Changes], str]
"""Why these changes are not let through, as told to the model; "" lets them through."""


def no_gate(_changes: Changes) -> str:
    """Let everything through."""
    return ""
