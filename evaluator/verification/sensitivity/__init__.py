"""Whether tests notice when their expected values are replaced by others of the same type."""

from evaluator.verdict.trials import Reaction, Sensitivity
from evaluator.verification.sensitivity.trying import sensitivity

__all__ = ["Reaction", "Sensitivity", "sensitivity"]
