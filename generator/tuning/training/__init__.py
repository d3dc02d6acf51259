"""Training: the loop, what is kept of it, and what is reported about it."""
