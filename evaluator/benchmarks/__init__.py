"""Benchmarks of generated tests: their data sets, their pipelines and their tables."""
