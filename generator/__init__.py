"""Writes candidate tests: from an issue and the code as it is to a test that reproduces it."""
