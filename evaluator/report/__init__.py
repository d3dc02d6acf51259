"""What a replay found, for people and programs: JSON, terminal, HTML and per-instance evidence."""
