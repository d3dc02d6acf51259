"""Edits of Python files in the block format: where definitions stand, and where code goes."""

from evaluator.languages.python.blocks.editing import BLOCKS

__all__ = ["BLOCKS"]
