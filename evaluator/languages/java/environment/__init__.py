"""How Java repositories are installed."""
