"""What code could recognise a sandbox by, which is another for each rerun.

Code that does right only where it believes to be judged knows a directory, a user or a host name.
All names are as long as the usual ones, so that columns, and where long messages are cut, stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Guise:
    """The names of a sandbox: user and its id, host, directories (`tree` is that of the tests).

    `variables` are some more environment variables, which mean nothing.
    """

    user: str = "fixgate"
    uid: int = 1000
    host: str = "fixgate"
    home: str = "/home/fixgate"
    scratch: str = "/tmp"  # noqa: S108 (inside the sandbox, where nobody else is)
    tree: str = "/testbed"
    tools: str = "/fixgate"
    variables: Mapping[str, str] = field(default_factory=dict)

    def plain(self, text: str) -> str:
        """The text with the usual names in the place of these, to be compared between guises."""
        for usual, own in self._names():
            text = text.replace(own, usual)
        return text

    def disguised(self, text: str) -> str:
        """The text with these directories in the place of the usual ones."""
        for usual, own in self._names():
            if usual.startswith("/"):
                text = text.replace(usual, own)
        return text

    def _names(self) -> Iterator[tuple[str, str]]:
        """What differs from usual, as (usual, own); what holds others comes before them."""
        for name in ("home", "tree", "tools", "scratch", "user", "host"):
            usual, own = getattr(USUAL, name), getattr(self, name)
            if usual != own:
                yield usual, own


_LETTERS = "ghijklmnopqrstuvwxyz"
"""Not those of hexadecimal digits, which paths are full of."""
USUAL = Guise()
"""The first attempt's."""


def guise_of(attempt: int, content: str) -> Guise:
    """The guise of an attempt at something, USUAL for the first (0), else as good as random."""
    if attempt == 0:
        return USUAL
    digest = hashlib.sha256(f"{attempt} {content}".encode()).hexdigest()
    user, host, tree, tools = (f"{letter}{digest[6 * n :][:6]}" for n, letter in enumerate("uhwk"))
    number = int(digest[24:30], 16)
    return Guise(
        user=user,
        uid=1001 + number % 8000,
        host=host,
        home=f"/home/{user}",
        scratch=f"/{_LETTERS[number % 20]}{number % 10}{_LETTERS[number // 20 % 20]}",
        tree=f"/{tree}",
        tools=f"/{tools}",
        variables={tools.upper(): digest[33:40], "SHLVL": str(1 + number % 4)},
    )
