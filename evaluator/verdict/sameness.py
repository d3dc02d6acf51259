"""Whether a test fails with a change for the same reason as without it."""

from __future__ import annotations

import re

from evaluator.evaluation import Transition

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")


def fails_alike(transition: Transition) -> bool:
    """Whether both sides failed with the same exception and message, addresses aside."""
    before, after = transition.before.failure, transition.after.failure
    if before is None or after is None:
        return transition.before.status is transition.after.status
    messages = [_ADDRESS.sub("0x", failure.message) for failure in (before, after)]
    return before.exception_type == after.exception_type and messages[0] == messages[1]
