"""How a reader refuses a reply."""

from __future__ import annotations

from evaluator.errors import FixgateError


class UnreadableReplyError(FixgateError):
    """A reply is not what was asked for. The message says why, and can be told to the model."""
