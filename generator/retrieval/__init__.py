"""Retrieval without a model: code that an issue is about, and the test file to extend."""

from generator.retrieval.context import Context, Excerpt
from generator.retrieval.retrieval import Retrieval
from generator.retrieval.shortening import shortened_issue
from generator.retrieval.tokens import estimated_tokens
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
