"""Retrieval without a model: code that an issue is about, and the test file to extend."""

from generator.retrieval.context import Context, Excerpt, estimated_tokens, shortened_issue
from generator.retrieval.retrieval import Retrieval
from generator.retrieval.types import Anchor, RankedFile, RankedSymbol

__all__ = [
    "Anchor",
    "Context",
    "Excerpt",
    "RankedFile",
    "RankedSymbol",
    "Retrieval",
    "estimated_tokens",
    "shortened_issue",
]
