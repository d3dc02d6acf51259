"""Writes unit tests for the Java methods of a Tests4J dataset: models, tools and baselines."""
