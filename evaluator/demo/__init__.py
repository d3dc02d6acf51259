"""A small repository with three bugs, and what judging it shows; needs nothing but Python and git."""
