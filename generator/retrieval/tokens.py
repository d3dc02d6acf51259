"""Estimates how many tokens a text takes, rather too many than too few."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 3
"""Of ASCII text; tokenisers take 3.2 to 4.5 for English and for Python."""


def estimated_tokens(text: str) -> int:
    """A third of the ASCII characters, and one for each byte of any other, rounded up."""
    return -(-_size(text) // CHARACTERS_PER_TOKEN)


def within(text: str, tokens: int) -> str:
    """The longest beginning of a text, in whole lines, that takes at most so many tokens."""
    lines = text.splitlines()
    left = tokens * CHARACTERS_PER_TOKEN
    for count, line in enumerate(lines):
        left -= _size(line) + bool(count)  # and the line's end before it
        if left < 0:
            return "\n".join(lines[:count])
    return "\n".join(lines)


def _size(text: str) -> int:
    """What a text takes, counted in ASCII characters."""
    size = len(text.encode("utf-8", errors="surrogatepass"))
    if size == len(text):
        return size
    plain = sum(map(str.isascii, text))
    return plain + (size - plain) * CHARACTERS_PER_TOKEN
