"""Patches: reading them as they were meant, applying them, splitting them into tests and code.

The core works on contents, not on a directory: a source says what a file holds, and a patch
becomes the changes that it makes. Only `write` and `tree_source` touch a disk.
"""

from evaluator.diff.apply import LARGEST_PATCH, apply, split
from evaluator.diff.text import numbered
from evaluator.diff.types import (
    Application,
    ChangedLines,
    Changes,
    Format,
    Keep,
    PatchPart,
    Split,
)
from evaluator.diff.write import tree_source, unified_diff, write
from evaluator.model import Source

__all__ = [
    "LARGEST_PATCH",
    "Application",
    "ChangedLines",
    "Changes",
    "Format",
    "Keep",
    "PatchPart",
    "Source",
    "Split",
    "apply",
    "numbered",
    "split",
    "tree_source",
    "unified_diff",
    "write",
]
