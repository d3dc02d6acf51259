"""Which commit a revision names (gitrevisions(7)), and where two histories parted.

Names are read from the files of the git directory, ids and steps from verified objects. Of git's
syntax there is what names a commit by itself: `main`, `origin/main`, `v1.2`, `HEAD`, an id or its
beginning, each with any `~2`, `^`, `^2`, `^0`, `^{}` and `^{commit}` behind it.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterator

from evaluator.checkout.objects import Commit, Objects, parse_commit
from evaluator.checkout.place import GitDirectory, read_small
from evaluator.errors import CheckoutError

_REVISION = re.compile(r"([^\s~^:?*\[\\]+?)((?:~\d{0,6}|\^\d{0,2}|\^\{(?:commit)?\})*)")
_STEP = re.compile(r"([~^])(\{(?:commit)?\}|\d*)")
_SHORT = re.compile(r"[0-9a-f]{4,64}")
_FULL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TAGGED = re.compile(rb"object ([0-9a-f]+)\n")
_SYMBOLIC = "ref: "
_DEEPEST = 10
"""How many symbolic references or tags may point to one another."""
_MOST_PACKED = 1 << 28
_MOST_STEPS = 100_000


def find_commit(place: GitDirectory, objects: Objects, revision: str) -> Commit:
    """The commit that a revision names. Raises CheckoutError where there is none."""
    match = _REVISION.fullmatch(revision)
    if match is None or revision.startswith("-") or "@{" in revision:
        raise CheckoutError(f"{revision!r} is not a revision; name a branch, a tag or a commit id")
    name = "HEAD" if match[1] == "@" else match[1]
    commit = peeled(objects, _id_of(place, name))
    for sign, count in _STEP.findall(match[2]):
        commit = _stepped(objects, commit, sign, count)
    return commit


def peeled(objects: Objects, wanted: str) -> Commit:
    """The commit of an id, or that a tag of this id names. Raises CheckoutError."""
    for _ in range(_DEEPEST):
        found = objects.find(wanted)
        if found is None:
            raise CheckoutError(f"commit {wanted} is not in it")
        tagged = _TAGGED.match(found.content) if found.kind == "tag" else None
        if tagged is None:
            return parse_commit(found)
        wanted = tagged[1].decode()
    raise CheckoutError(f"{wanted} is a tag of a tag without end")


def _stepped(objects: Objects, commit: Commit, sign: str, count: str) -> Commit:
    if count.startswith("{") or count == "0":
        return commit
    generations, parent = (int(count or 1), 1) if sign == "~" else (1, int(count or 1))
    for _ in range(min(generations, _MOST_STEPS)):
        if len(commit.parents) < parent:
            raise CheckoutError(f"commit {commit.id} has no parent number {parent}")
        commit = peeled(objects, commit.parents[parent - 1])
    return commit


def _id_of(place: GitDirectory, name: str) -> str:
    """The id that a name stands for, in the order in which git looks for it."""
    if _FULL.fullmatch(name):
        return name
    if (place.common / "reftable").is_dir():
        raise CheckoutError(
            f"{name!r} cannot be looked up: the references are kept as reftable; name a commit id"
        )
    for reference in _candidates(name):
        found = _read(place, reference)
        if found:
            return found
    if _SHORT.fullmatch(name):
        return name
    raise CheckoutError(f"there is no branch, tag or commit {name!r}")


def _candidates(name: str) -> Iterator[str]:
    yield name
    yield from (f"refs/{kind}{name}" for kind in ("", "tags/", "heads/", "remotes/"))
    yield f"refs/remotes/{name}/HEAD"


def _read(place: GitDirectory, reference: str) -> str:
    """The id that a full reference stands for, "" where there is none."""
    for _ in range(_DEEPEST):
        if not _is_reference(reference):
            return ""
        value = _loose(place, reference) or _packed(place, reference)
        if not value.startswith(_SYMBOLIC):
            return value if _FULL.fullmatch(value) else ""
        reference = value.removeprefix(_SYMBOLIC).strip()
    return ""


def _is_reference(name: str) -> bool:
    """Whether a name is one of references: it can lead to no other file of a git directory."""
    parts = name.split("/")
    decent = all(part and not part.startswith(".") and ".." not in part for part in parts)
    return decent and (name.startswith("refs/") or bool(re.fullmatch(r"[A-Z_]*HEAD", name)))


def _loose(place: GitDirectory, reference: str) -> str:
    directories = (place.own, place.common) if reference.startswith("refs/") else (place.own,)
    texts = (read_small(directory / reference) for directory in directories)
    return next((text.split("\t")[0].strip() for text in texts if text), "")


def _packed(place: GitDirectory, reference: str) -> str:
    ending = f" {reference}\n"
    packed = read_small(place.common / "packed-refs", _MOST_PACKED)
    before, found, _ = f"{packed}\n".partition(ending)
    return before.rpartition("\n")[2] if found else ""


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
