"""Reproducing tests for Django from an issue's text alone, each for a report of some kind."""
