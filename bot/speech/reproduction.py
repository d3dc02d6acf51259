"""The comment on an issue: the test that reproduces it, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from bot.speech.markdown import code, fenced, fitted, folded, plain
from generator.writer import Written


def marker(number: int) -> str:
    """The hidden line by which the App finds its one comment on an issue again."""
    return f"<!-- fixgate:issue:{number} -->"


def working(number: int) -> str:
    """What the comment says while work goes on."""
    return f"{marker(number)}\nfixgate is trying to reproduce this. This comment will tell."


def reproduction(number: int, written: Written, *, commit: str, command: str) -> str:
    """What the comment says in the end. `command` runs the tests by hand at `commit`."""
    parts = _reproduced(written, commit, command) if written.patch else _not(written, commit)
    return fitted([marker(number), *parts])


def _reproduced(written: Written, commit: str, command: str) -> Iterator[str]:
    at = code(commit[:12])
    yield f"**Reproduced** at {at}. This test fails, and should pass once it is fixed:"
    yield fenced(written.patch, "diff")
    yield f"**Why this is the reported problem:** {plain(written.reason, 800)}"
    yield f"**How sure:** {_sure(written.confidence)}."
    yield folded("How to run it", fenced(f"git apply test.patch\n{command}", "sh"))
    yield _footer()


def _sure(confidence: float) -> str:
    words = "very likely right" if confidence >= 0.8 else "likely right"
    words = words if confidence >= 0.5 else "a proposal: please look at it closely"
    return f"{words} ({100 * confidence:.0f} %)"


def _not(written: Written, commit: str) -> Iterator[str]:
    at, why = code(commit[:12]), plain(written.reason, 600)
    yield f"fixgate **could not reproduce** this at {at}: {why}"
    yield (
        "What helps most: a few lines of code that show the problem when they are run, what they "
        "print or raise now, and what they should. Then write `/fixgate reproduce` in a comment."
    )
    yield _footer()


def _footer() -> str:
    return (
        "<sub>Machine-written. `/fixgate wrong` tells that this is not the reported problem; "
        "`/fixgate help` lists what else can be asked.</sub>"
    )
