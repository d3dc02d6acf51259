"""Which parts of a change its tests notice: each is taken back, or made another, on its own."""

from evaluator.verification.mutation.trying import parts_tested

__all__ = ["parts_tested"]
