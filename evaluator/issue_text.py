"""How much of an issue is read: whoever writes one must not keep a reader busy."""

from __future__ import annotations

LONGEST_ISSUE = 65_536
"""Characters: GitHub keeps no more of a body. The longest of 851 real reports has 22,778."""
LONGEST_LINE = 2_000
"""Characters. The longest line of these reports has 1,249."""
MOST_LINES = 4_000


def bounded(issue: str) -> str:
    """The beginning of an issue: so many lines of such a length, of so many characters in all."""
    lines = issue[:LONGEST_ISSUE].split("\n", MOST_LINES)[:MOST_LINES]
    return "\n".join(line[:LONGEST_LINE] for line in lines)
