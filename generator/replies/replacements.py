"""New texts for numbered assertions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from generator.replies.fences import fences
from generator.replies.text import UnreadableReplyError, answer_of

_LABEL = re.compile(r"^[ \t]*#[ \t]*assertion[ \t]+(\d{1,6})\b.*$", re.IGNORECASE | re.MULTILINE)


def read_replacements(reply: str) -> Mapping[int, str]:
    """The new texts of assertions by their numbers, from fenced code.

    Each stands below a line that numbers it::

        # assertion 2
        self.assertEqual(total, 5)

    Raises UnreadableReplyError where no number is given.
    """
    code = "\n".join(fence.text for fence in fences(answer_of(reply)))
    pieces = _LABEL.split(code)[1:]
    texts = {int(number): text for number, text in zip(pieces[::2], pieces[1::2], strict=True)}
    found = {number: textwrap.dedent(text).strip("\n") for number, text in texts.items()}
    if not found:
        raise UnreadableReplyError(
            "the reply holds no fenced code under a line `# assertion NUMBER`"
        )
    return found
