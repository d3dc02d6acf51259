"""`fixgate hydrate`: lay down all that a replay needs, so that it runs without a network."""
