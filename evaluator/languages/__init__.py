"""The seam for languages: what differs between them, behind one protocol."""

from evaluator.languages.protocol import Language
from evaluator.languages.registry import (
    is_test_file,
    language,
    language_of,
    languages,
    registered,
    runnable_test_files,
)

__all__ = [
    "Language",
    "is_test_file",
    "language",
    "language_of",
    "languages",
    "registered",
    "runnable_test_files",
]
