"""What of a reply is its answer."""

from __future__ import annotations

import re

LONGEST_REPLY = 2_000_000
"""Most characters of a reply that are read; what comes after them is dropped."""

_OPENED = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)


def answer_of(reply: str) -> str:
    """The reply without the thoughts that some models write ahead of it, and with plain line ends.

    Servers may swallow the tag that opens the thoughts; a reply that never closes them holds no
    answer.
    """
    text = reply[:LONGEST_REPLY].replace("\r\n", "\n")
    opened = _OPENED.match(text)
    closed = _CLOSED.search(text)
    if closed is None:
        return "" if opened else text
    swallowed = not opened and f"<{closed[1].lower()}>" not in text.lower()
    return text[closed.end() :] if opened or swallowed else text
