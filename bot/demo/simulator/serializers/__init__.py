"""JSON as GitHub writes it, one file a kind of thing; the descriptions say what must be in it."""
