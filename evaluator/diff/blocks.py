"""The fault-tolerant block format of SWT-Bench (section 4.2 and appendix A).

A block names a file, an operation, a rough place, and code::

    diff
    tests/test_geometry.py
    rewrite
    12
    def test_distance():
        assert distance(0, 3) == 3
    end diff

The operation is `rewrite`, `insert` or `delete`; the place a line number, `BOF` or `EOF`. Each
block stands for itself: one that cannot be applied leaves the others alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.diff.block_edit import (
    BlockEdit,
    BlockEditor,
    Position,
    SplicedFile,
    created,
    edit,
    inserted,
)
from evaluator.diff.paths import checked
from evaluator.diff.search import WorkBudget
from evaluator.diff.text import decode, encode
from evaluator.diff.types import PatchProgress
from evaluator.errors import PatchError

_MOST_PARSING = 10_000_000  # characters of code
_COST_OF_BLOCK = 10_000

OPERATIONS = frozenset({"rewrite", "insert", "delete"})

_START = re.compile(r"(`{3,}\s*)?(custom-)?diff", re.IGNORECASE)
_ANY_START = re.compile(r"^[ \t]*(?:`{3,}[ \t]*)?(?:custom-)?diff[ \t\r]*$", re.I | re.M)
_END = re.compile(r"\s*end\s+diff\b", re.IGNORECASE)
_FENCE = re.compile(r"\s*`{3,}[\w+-]*\s*$")
_PLACE = re.compile(r"(?:lines?\s*)?(\d{1,9})(?:\s*[-,:]\s*\d+)?|BOF|EOF", re.IGNORECASE)
_WRAPPING = " \t\r<>\"'`"


@dataclass(frozen=True)
class Block:
    """One block as written: its number from 1, file, operation, place and code."""

    number: int
    path: str
    operation: str
    position: Position
    code: str
    relaxations: tuple[str, ...] = ()


def parse_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in order; none where it is not in this format."""
    if not _ANY_START.search(text):
        return ()
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    starts = [index for index in range(len(lines) - 2) if _is_start(lines, index)]
    ends = [*starts[1:], len(lines)] if starts else []
    return tuple(
        _block(number, lines[start + 1 : end])
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    )


def apply_blocks(blocks: Sequence[Block], results: PatchProgress) -> None:
    """Apply blocks one after the other; line numbers are those of the files as they were."""
    made: dict[str, list[SplicedFile]] = {}
    effort = WorkBudget(_MOST_PARSING)
    for block in blocks:
        what = f"block {block.number}: {block.operation}"
        path = block.path
        try:
            path = _path(block.path, results)
            if results.leaves_out(path):
                continue
            effort.spend(len(results.read(path) or b"") + len(block.code) + _COST_OF_BLOCK)
            done = _edited(block, path, results, made.setdefault(path, []))
        except PatchError as error:
            results.refused(path, what, str(error), fatal=False)
            continue
        results.contents[path] = encode(done.text)
        made[path].append(done)
        results.applied(path, what, (*block.relaxations, *done.relaxations))


def _edited(
    block: Block, path: str, results: PatchProgress, before: Sequence[SplicedFile]
) -> SplicedFile:
    content = results.read(path)
    text = None if content is None else decode(content)
    position = block.position
    if isinstance(position, int):
        for done in before:
            position = done.moved(position)
    return edit(BlockEdit(block.operation, position, block.code), text, _editor(path))


def _editor(path: str) -> BlockEditor:
    # Imported when needed: languages use patches.
    from evaluator.languages import languages

    editors = (known.blocks for known in languages())
    fitting = (known for known in editors if known and path.endswith(known.suffixes))
    return next(fitting, BlockEditor((), created, inserted, _refused, _refused))


def _refused(_request: BlockEdit, _text: str) -> SplicedFile:
    from evaluator.languages import languages

    names = " and ".join(known.name.capitalize() for known in languages() if known.blocks)
    raise PatchError(f"only {names} files have functions to rewrite or delete")


def _path(written: str, results: PatchProgress) -> str:
    path = checked(written)
    shorter = re.sub("^[ab]/", "", path)
    exists = results.read(path) is not None
    return shorter if not exists and shorter and results.read(shorter) is not None else path


def _is_start(lines: Sequence[str], index: int) -> bool:
    fine = bool(_START.fullmatch(lines[index].strip())) and bool(lines[index + 1].strip())
    return fine and _plain(lines[index + 2]).lower().rstrip(":") in OPERATIONS


def _plain(line: str) -> str:
    return line.strip(_WRAPPING)


def _block(number: int, lines: Sequence[str]) -> Block:
    path, operation = _plain(lines[0]), _plain(lines[1]).lower().rstrip(":")
    place = _PLACE.fullmatch(_plain(lines[2])) if len(lines) > 2 else None
    body, ended = _body(lines[3 if place else 2 :])
    said = [] if place else ["the block gives no place"]
    if not ended:
        said.append("the block has no `end diff`")
    position: Position = None
    if place:
        position = int(place[1]) if place[1] else place[0].upper()
    return Block(number, path, operation, position, "\n".join(body), tuple(said))


def _body(lines: Sequence[str]) -> tuple[Sequence[str], bool]:
    """The code of a block without a fence around it, and whether the block was ended."""
    end = next((index for index, line in enumerate(lines) if _END.match(line)), None)
    body = list(lines if end is None else lines[:end])
    while body and not body[0].strip():
        del body[0]
    if body and _FENCE.match(body[0]):
        del body[0]
    fences = [index for index, line in enumerate(body) if _FENCE.match(line)]
    if fences and (end is None or not any(line.strip() for line in body[fences[0] + 1 :])):
        body = body[: fences[0]]
    while body and not body[-1].strip():
        del body[-1]
    return body, end is not None
