"""Tests from the text of an issue alone, without a model."""
