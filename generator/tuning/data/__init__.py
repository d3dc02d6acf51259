"""Pairs of methods and tests as tokens, on disk and in batches."""
