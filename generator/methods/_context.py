"""What retrieval says of a task, in the words of prompts."""

from __future__ import annotations

from generator.method import Work
from generator.retrieval import Excerpt, estimated_tokens

_MAPPED = 100
"""Files of the ranking that a map may show."""


def anchor_of(work: Work) -> str:
    """The test file in which a test for the issue seems to belong, "" where none is named."""
    if not work.settings.names_test_file:
        return ""
    return next((file.path for file in work.retrieval.test_files(1)), "")


def code_of(work: Work, tokens: int) -> str:
    """The test file and the code that the issue may be about, up to a number of tokens."""
    context = work.retrieval.context(tokens)
    return "\n\n".join(map(_shown, (*context.tests, *context.code, *context.outlines)))


def map_of(work: Work, tokens: int) -> str:
    """What the files define that the issue may be about, best first, up to a number of tokens."""
    outlines: list[str] = []
    for file in work.retrieval.source_files(_MAPPED):
        outline = f"{file.path}\n{work.retrieval.outline(file.path)}"
        tokens -= estimated_tokens(outline)
        if tokens < 0:
            break
        outlines.append(outline)
    return "\n\n".join(outlines)


def _shown(excerpt: Excerpt) -> str:
    return f"{excerpt.path}, lines {excerpt.first} to {excerpt.last}:\n{excerpt.text}"
