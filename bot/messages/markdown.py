"""Text of strangers made harmless in GitHub's Markdown, and cut to GitHub's limits.

https://github.github.com/gfm/ is the form; https://docs.github.com/en/rest/checks/runs the limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_TEXT = 65_535
"""Characters that GitHub takes for a comment's body and for a check's summary or text."""

# GitHub looks for these in the rendered text, where a backslash is gone; a word joiner stays.
_LINKED = re.compile(r"(@(?=[\w-])|#(?=\d)|\bGH-(?=\d)|:(?=//))", re.IGNORECASE)
_MENTION = re.compile(r"(@(?=[\w-])|:(?=//))")
_MARKUP = re.compile(r"<[a-z!/]|\]\(|[`|]|(?<!\w)#\d|://", re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#|~!&])")
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]"
)
_CUT = "\n\n… cut here: it is too long for GitHub.\n"


def plain(text: str, longest: int = 300) -> str:
    """One line of text that shows as it is: no markup, no mention, no link, no HTML."""
    line = shortened(" ".join(visible(text).split()), longest)
    return _SPECIAL.sub(r"\\\1", _LINKED.sub("\\1\u2060", line))


def unlinked(text: str) -> str:
    """One line of plain text, for a title: nothing in it mentions, refers or hides."""
    return _MENTION.sub("\\1\u2060", " ".join(visible(text).split()))


def is_plain(text: str) -> bool:
    """Whether a title can show strangers' text: nothing in it reads as markup or as a link."""
    return _MARKUP.search(text) is None


def linked(text: str, address: str) -> str:
    """Plain text that links to an address of GitHub's, or the text alone without one."""
    return (
        f"[{plain(text)}]({address})"
        if address.startswith(("https://", "http://"))
        else plain(text)
    )


def code(text: str, longest: int = 300) -> str:
    """One line as inline code, however many backticks it holds."""
    line = shortened(" ".join(visible(text).split()), longest)
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def fenced(text: str, language: str = "", longest: int = 20_000) -> str:
    """A block of code that its content cannot close."""
    content = shortened(visible(text), longest)
    fence = "`" * max(3, _longest_run(content) + 1)
    return f"{fence}{language}\n{content.rstrip()}\n{fence}"


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are Markdown already; bars in them are escaped."""
    head = list(headings)
    lines = [head, ["---"] * len(head), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def folded(summary: str, body: str) -> str:
    """A part that is shown on a click; `summary` is plain text."""
    safe = visible(summary).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<details><summary>{safe}</summary>\n\n{body}\n\n</details>"


def fitted(parts: Iterable[str], longest: int = LONGEST_TEXT) -> str:
    """Parts joined by blank lines, as many as fit whole; what is left out is mentioned."""
    kept: list[str] = []
    for part in parts:
        if len("\n\n".join([*kept, part])) + len(_CUT) > longest:
            return "\n\n".join(kept) + _CUT if kept else shortened(part, longest - len(_CUT)) + _CUT
        kept.append(part)
    return "\n\n".join(kept)


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning with an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def visible(text: str) -> str:
    """The text without characters that hide or reorder others."""
    return _INVISIBLE.sub("\ufffd", text)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text.replace("\n", " "))


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
