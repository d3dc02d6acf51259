"""Patches in replies: unified diffs and blocks, fenced, tagged or bare, with prose around them."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.diff import LARGEST_PATCH
from evaluator.diff.blocks import parse_blocks
from evaluator.diff.unified import parse
from generator.replies.errors import UnreadableReplyError
from generator.replies.fences import fences
from generator.replies.tags import tagged
from generator.replies.text import answer_of

_TAGS = ("patch", "diff")
_GAP = "\n"


def read_patches(reply: str) -> tuple[str, ...]:
    """The ways in which a reply can be read as one patch, the likeliest first.

    Several diffs in one reply are parts of one patch (so they are read together first) or drafts
    of it (so the last one is a reading too); which it is shows only where they are applied.
    Raises UnreadableReplyError where no part is a unified diff or a block.
    """
    answer = answer_of(reply)[:LARGEST_PATCH]
    readings = tuple(dict.fromkeys(_readings(answer)))
    if not readings:
        raise UnreadableReplyError(_why_not(answer))
    return readings


def _readings(answer: str) -> Iterator[str]:
    for parts in (_in_tags(answer), _in_fences(answer)):
        patches = [part for part in parts if is_patch(part)]
        if patches:
            yield _GAP.join(patches)
            yield patches[-1]
    if is_patch(answer):
        yield answer


def is_patch(text: str) -> bool:
    """Whether a text holds a change of some file, as a unified diff or as blocks."""
    return bool(parse_blocks(text)) or any(patch.hunks or patch.git for patch in parse(text))


def _in_tags(answer: str) -> list[str]:
    return [_unfenced(part.text) for part in tagged(answer, _TAGS)]


def _unfenced(text: str) -> str:
    inner = fences(text)
    return inner[0].text if len(inner) == 1 and text.strip().startswith(("```", "~~~")) else text


def _in_fences(answer: str) -> list[str]:
    return [fence.text for fence in fences(answer)]


def _why_not(answer: str) -> str:
    if not answer.strip():
        return "the reply is empty"
    if fences(answer):
        return "the fenced parts hold no diff: a diff names its file and has hunks or blocks"
    return "the reply holds no diff"
