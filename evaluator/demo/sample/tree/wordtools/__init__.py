"""A few functions on words and numbers."""
