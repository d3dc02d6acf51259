"""The ways to write unit tests, one module a way."""
