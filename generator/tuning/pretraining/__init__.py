"""Small language models and their tokenizers, trained from scratch on source files."""
