"""How a repository at a commit is installed: recipe, build, cache."""
