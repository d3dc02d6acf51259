"""What recipes, environments and their configuration have in common in all languages."""
