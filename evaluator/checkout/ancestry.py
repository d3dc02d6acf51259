"""The commit at which two histories parted, found on verified commits."""

from __future__ import annotations

import heapq
from collections.abc import Collection

from evaluator.checkout.commits import Commit
from evaluator.checkout.objects import Objects
from evaluator.checkout.revisions import peeled
from evaluator.errors import CheckoutError

_OURS, _THEIRS, _BELOW = 1, 2, 4
"""Marks of a commit: an ancestor of one, of the other, of a common ancestor."""


class Ancestry:
    """The history of commits. `ends` are those whose parents a shallow clone has left out."""

    def __init__(self, objects: Objects, ends: Collection[str]) -> None:
        self._objects = objects
        self._ends = ends
        self._commits: dict[str, Commit] = {}

    def merge_base(self, ours: str, theirs: str) -> str:
        """The best common ancestor of two commits, the youngest where there are several.

        Raises CheckoutError where there is none, or the repository lacks a commit on the way.
        """
        marks = self._marked(ours, theirs)
        common = [commit for commit, mark in marks.items() if mark == _OURS | _THEIRS]
        best = [c for c in common if not any(self._is_below(c, o) for o in common if o != c)]
        if not best:
            shallow = "; this clone is shallow: fetch more of its history" if self._ends else ""
            raise CheckoutError(f"{ours} and {theirs} have no common ancestor{shallow}")
        return min(best, key=self._age)

    def _is_below(self, ancestor: str, descendant: str) -> bool:
        return bool(self._marked(ancestor, descendant)[ancestor] & _THEIRS)

    def _marked(self, ours: str, theirs: str) -> dict[str, int]:
        """The marks of the commits that were met on the way down, youngest first.

        It ends where nothing is left but what lies below common ancestors. Dates only say where to
        look first: where they are wrong, one common ancestor may lie below another unmarked.
        """
        marks = {theirs: _THEIRS}
        marks[ours] = marks.get(ours, 0) | _OURS
        waiting = sorted((self._age(commit), commit) for commit in marks)
        while any(not marks[commit] & _BELOW for _, commit in waiting):
            _, commit = heapq.heappop(waiting)
            mark = marks[commit]
            if mark == _OURS | _THEIRS:
                mark |= _BELOW
            for parent in self._parents(commit):
                before = marks.get(parent, 0)
                if before | mark != before:
                    marks[parent] = before | mark
                    heapq.heappush(waiting, (self._age(parent), parent))
        return marks

    def _age(self, commit: str) -> int:
        """Smaller for younger commits."""
        return -(self._commit(commit).moment or 0)

    def _parents(self, commit: str) -> tuple[str, ...]:
        return () if commit in self._ends else self._commit(commit).parents

    def _commit(self, commit: str) -> Commit:
        if commit not in self._commits:
            self._commits[commit] = peeled(self._objects, commit)
        return self._commits[commit]
