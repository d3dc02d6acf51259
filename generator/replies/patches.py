"""Patches in replies: unified diffs and blocks, fenced, tagged or bare, with prose around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluator.diff import LARGEST_PATCH
from evaluator.diff.blocks import parse_blocks
from evaluator.diff.unified import parse, usual_names
from generator.replies.text import UnreadableReplyError, answer_of, fences, tagged

_TAGS = ("patch", "diff")
_GAP = "\n"


def read_patches(reply: str) -> tuple[str, ...]:
    """The ways in which a reply can be read as one patch, the likeliest first.

    Several diffs in one reply that change different files are parts of one patch, and read
    together first; those that change the same file are drafts of it, and the last one is read
    first. The other way is a reading too, for where the first one does not apply.
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
            joined, last = _GAP.join(patches), patches[-1]
            yield from (joined, last) if _are_parts(patches) else (last, joined)
    if is_patch(answer):
        yield answer


def is_patch(text: str) -> bool:
    """Whether a text holds a change of some file, as a unified diff or as blocks."""
    return bool(parse_blocks(text)) or any(patch.hunks or patch.git for patch in parse(text))


def _are_parts(patches: Sequence[str]) -> bool:
    """Whether no file is changed by two of the patches."""
    touched = [path for patch in patches for path in _touched(patch)]
    return len(touched) == len(set(touched))


def _touched(patch: str) -> set[str]:
    blocks = parse_blocks(patch)
    if blocks:
        return {block.path for block in blocks}
    return {path for file in parse(patch) for path in usual_names(file).both}


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
