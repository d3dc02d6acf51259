"""A small repository with three bugs, judged with nothing but Python and git."""
