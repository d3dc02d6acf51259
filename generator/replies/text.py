"""What of a reply is its answer, and how a reply is refused."""

from __future__ import annotations

import re

from evaluator import FixgateError


class UnreadableReplyError(FixgateError):
    """A reply is not what was asked for. The message says why, and can be shown to the model."""


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


_PATH = re.compile(r"(?<![\w./:-])(?:\./)?((?:[\w.+-]+/)*[\w+-][\w.+-]*\.\w{1,10})\b(?!/)")


def read_paths(reply: str) -> tuple[str, ...]:
    """What looks like a file's path, relative to the project, each once, in order."""
    return tuple(dict.fromkeys(match[1] for match in _PATH.finditer(answer_of(reply))))
