"""Verifies a change in a local repository: what `fixgate verify` and, later, the bot ask for."""
