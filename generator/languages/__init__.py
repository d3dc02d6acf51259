"""The seam for languages: what differs between them for a writer of tests."""

from generator.languages.protocol import Assertion, Language, Layout, PromptWords, Symbol
from generator.languages.registry import (
    is_source,
    language,
    language_of,
    language_of_file,
    languages,
    outline,
    outline_text,
    registered,
)

__all__ = [
    "Assertion",
    "Language",
    "Layout",
    "PromptWords",
    "Symbol",
    "is_source",
    "language",
    "language_of",
    "language_of_file",
    "languages",
    "outline",
    "outline_text",
    "registered",
]
