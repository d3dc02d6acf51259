"""Chooses repositories for a dataset: nine filters in two steps (thesis, section 3.2, p. 10)."""
