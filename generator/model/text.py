"""Small facts about the text that goes to models and comes back."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.protocol import Message, TokenUsage

CHARACTERS_PER_TOKEN = 3.5
"""Of code and English with the tokenizers in use: a little below the usual 4, to guess high."""


def encodable(text: str) -> str:
    """The text with lone surrogates, which no request or file can carry, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def estimated_usage(messages: Sequence[Message], answer: Message) -> TokenUsage:
    """Tokens by the count of characters, for endpoints that do not count."""
    read = sum(_length(message) for message in messages)
    return TokenUsage(_tokens(read), _tokens(_length(answer)), estimated=True)


def _length(message: Message) -> int:
    return len(message.content) + sum(len(c.name) + len(c.arguments) for c in message.tool_calls)


def _tokens(characters: int) -> int:
    return round(characters / CHARACTERS_PER_TOKEN)
