"""The seam for languages: what differs between them, behind one protocol."""

from evaluator.languages.protocol import Language
from evaluator.languages.registry import (
    framework_of,
    is_test_file,
    language,
    language_of,
    language_of_tree,
    languages,
    produced_directories,
    registered,
    runnable_test_files,
    source_language,
)

__all__ = [
    "Language",
    "framework_of",
    "is_test_file",
    "language",
    "language_of",
    "language_of_tree",
    "languages",
    "produced_directories",
    "registered",
    "runnable_test_files",
    "source_language",
]
