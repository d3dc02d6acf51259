"""Existing tests that a change can affect: which ones, run on both sides, and what broke."""
