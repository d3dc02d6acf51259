"""Shortens an issue that is too long: code and tracebacks stay, prose goes from the middle."""

from __future__ import annotations

from collections.abc import Sequence

from generator.languages import languages
from generator.report_text.markdown import parts
from generator.report_text.types import IssuePart, PartForm
from generator.retrieval.tokens import CHARACTERS_PER_TOKEN, estimated_tokens

LEFT_OUT = "[...]"
_LARGEST_PART = 0.25
"""The share of the budget above which one part is shortened itself."""


def shortened_issue(issue: str, tokens: int) -> str:
    """An issue in at most so many (estimated) tokens; what is left out is marked by `[...]`.

    The title goes first, then blocks of code and tracebacks, in their order, then the prose that
    is nearest to the beginning or the end. Blocks that are long keep their head and their tail.
    """
    if estimated_tokens(issue) <= tokens:
        return issue
    found = parts(issue, [known.notation for known in languages()])
    texts = [_shown(part, int(tokens * _LARGEST_PART)) for part in found]
    kept: set[int] = set()
    for index in _by_worth(found):
        if estimated_tokens(_joined(texts, {*kept, index})) <= tokens:
            kept.add(index)
    return head_and_tail(_joined(texts, kept), tokens)


def _by_worth(found: Sequence[IssuePart]) -> list[int]:
    def worth(index: int) -> tuple[bool, bool, int]:
        is_block = found[index].kind is PartForm.BLOCK
        from_ends = min(index, len(found) - 1 - index)
        return index > 0, not is_block, index if is_block else from_ends

    return sorted(range(len(found)), key=worth)


def _shown(part: IssuePart, tokens: int) -> str:
    if part.kind is not PartForm.BLOCK:
        return head_and_tail(part.text, tokens)
    return f"```{part.language}\n{head_and_tail(part.text, tokens)}\n```"


def _joined(texts: Sequence[str], kept: set[int]) -> str:
    """The kept texts in their order, with a mark for each gap."""
    shown: list[str] = []
    for index, text in enumerate(texts):
        if index in kept:
            shown.append(text)
        elif shown[-1:] != [LEFT_OUT]:
            shown.append(LEFT_OUT)
    return "\n\n".join(shown)


def head_and_tail(text: str, tokens: int) -> str:
    """A text without its middle, so that it takes at most so many tokens."""
    if estimated_tokens(text) <= tokens:
        return text
    mark = f"\n{LEFT_OUT}\n"
    size = max(tokens, 0) * CHARACTERS_PER_TOKEN - len(mark)
    while size > 0:
        shown = text[: size // 2] + mark + text[-(size - size // 2) :]
        if estimated_tokens(shown) <= tokens:
            return shown
        size = size * 3 // 4
    return ""
