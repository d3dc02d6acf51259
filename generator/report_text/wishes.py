"""Whether a report says in words that what it shows should go through."""

from __future__ import annotations

import re
from typing import Final

SAID_TO_WORK: Final = "said_to_work"
"""The name of this reading, among the rules that a test rests on."""

_TO_WORK = re.compile(
    r"\b(?:should|must|ought to) ?(?:n't|not|never)\b[^.\n]{0,40}?"
    r"\b(?:rais|fail|crash|throw|error|break|happen|occur)\w*|"
    r"\b(?:should|must|ought to|expect\w*)\b[^.\n]{0,60}?\b(?:work|succeed|pass|run|go through|"
    r"be (?:able|accepted|allowed|possible|supported|valid))\b|"
    r"\b(?:used to|previously|formerly) work|"
    r"\bwork(?:s|ed|ing)\b[^.\n]{0,20}\b(?:before|in|on|until|with)\b[^.\n]{0,20}\d\.\d|"
    r"\b(?:no |without (?:an? |any )?)(?:crash|error|exception|traceback)",
    re.IGNORECASE,
)


def wants_it_to_work(text: str) -> bool:
    """Whether a report says that its code should go through, or once did."""
    return _TO_WORK.search(text) is not None
