"""Blocks of shell commands that repeat a run: paste them in a clone of the repository."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST_PATCHES = 30_000
"""Characters of patches in a block; longer ones are to be taken from the check."""


def by_hand(checkout: str, patches: Sequence[str], commands: Iterable[str]) -> str:
    """Check out a revision, apply the tests, and run them."""
    fits = sum(map(len, patches)) <= LONGEST_PATCHES
    applied = map(_applied, patches) if fits else ["# apply the tests that are shown above"]
    return "\n".join([checkout, *applied, *dict.fromkeys(commands)])


def checkout_of_pull(number: int, head: str) -> str:
    """Check out the head of a pull request, or of a merge group (number 0)."""
    revision = f"refs/pull/{number}/head" if number else head
    return f"git fetch origin {revision} && git switch --detach FETCH_HEAD"


def checkout_of_commit(commit: str) -> str:
    """Check out a commit of the default branch."""
    return f"git fetch origin && git switch --detach {commit}"


def _applied(patch: str) -> str:
    """The patch as a here document, whose end no line of it is."""
    end, lines = "END_OF_TEST", patch.splitlines()
    while end in lines:
        end = f"{end}_"
    return f"git apply <<'{end}'\n{patch.rstrip(chr(10))}\n{end}"
