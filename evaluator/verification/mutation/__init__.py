"""Which parts of a change its tests notice: each is taken back, or made another, on its own."""

from evaluator.verification.mutation.trying import Tests, parts_tested

__all__ = ["Tests", "parts_tested"]
