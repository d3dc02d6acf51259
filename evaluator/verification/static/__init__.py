"""What can be said against a change from its files alone, without running any."""

from evaluator.verification.static.examine import examined

__all__ = ["examined"]
