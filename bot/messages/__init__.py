"""What the App says on GitHub: texts of checks and comments, within its limits, harmless."""
