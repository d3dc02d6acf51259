"""The ways in: the command line, and the GitHub App."""
