"""How a Python repository at a commit is installed: recipes, discovery, builds."""
