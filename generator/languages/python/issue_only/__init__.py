"""Reproducing tests from an issue's text alone, with no model."""
