"""What people and Apps do, and which events it causes; one file a kind of thing."""
