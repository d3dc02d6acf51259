"""Estimates how many tokens a text takes, rather too many than too few."""

from __future__ import annotations

import math

CHARACTERS_PER_TOKEN = 3.0
"""Of ASCII text; tokenisers take 3.2 to 4.5 for English and for Python."""


def estimated_tokens(text: str) -> int:
    """A third of the ASCII characters, and one for each byte of any other, rounded up."""
    size = len(text.encode("utf-8", errors="surrogatepass"))
    if size == len(text):
        return math.ceil(size / CHARACTERS_PER_TOKEN)
    plain = sum(map(str.isascii, text))
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + size - plain


def within(text: str, tokens: int) -> str:
    """The longest beginning of a text, in whole lines, that takes at most so many tokens."""
    kept: list[str] = []
    for line in text.splitlines():
        if estimated_tokens("\n".join([*kept, line])) > tokens:
            break
        kept.append(line)
    return "\n".join(kept)
