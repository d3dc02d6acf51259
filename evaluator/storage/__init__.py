"""What is kept on disk: files written whole, directories made once, locks, content keys."""
