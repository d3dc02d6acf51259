"""Submodules: other repositories within a tree, as far as a clone has them.

What a clone checked out of them lies in its git directory, below `modules`. A commit's id says all
that is in it: it is taken from whichever of these repositories has it, and neither names, nor URLs,
nor settings count. See https://git-scm.com/docs/gitsubmodules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.git import git, shielded
from evaluator.checkout.listing import EntryKind
from evaluator.checkout.mirror import Mirror
from evaluator.checkout.objects import ObjectStore
from evaluator.checkout.place import GitDirectory
from evaluator.errors import CheckoutError

MOST_SUBMODULES = 1000
"""Of one tree, with those of submodules: a few small objects can name billions of them."""
_MOST_DIRECTORIES = 10_000
_SETTING = re.compile(r"submodule\.(?P<name>.+)\.(?P<key>path|url)\n(?P<value>.+)", re.DOTALL)
_PATH = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Submodule:
    """The tree of a `commit` in `mirror`, which belongs at the `path` of another tree."""

    path: str
    commit: str
    mirror: Mirror


def submodules(mirror: Mirror, commit: str) -> tuple[Submodule, ...]:
    """The submodules of a commit that its clone has as a whole; each before those within it.

    Raises CheckoutError where there are too many.
    """
    others = tuple(_repositories(mirror))
    found: list[Submodule] = []
    wanted = list(_wanted("", mirror, commit)) if others else []
    while wanted:
        if len(found) + len(wanted) > MOST_SUBMODULES:
            raise CheckoutError(f"commit {commit} has more than {MOST_SUBMODULES} submodules")
        holders = _holders({each for _, each in wanted}, others)
        inside = [Submodule(path, each, holders[each]) for path, each in wanted if each in holders]
        found += inside
        wanted = [more for s in inside for more in _wanted(f"{s.path}/", s.mirror, s.commit)]
    return tuple(found)


@dataclass(frozen=True)
class LackingSubmodule:
    """A submodule that a clone does not have: its `path`, its `commit`, and what is said of where.

    `url` is as `.gitmodules` has it, "" where that says nothing.
    """

    path: str
    commit: str
    url: str


def lacking_submodules(mirror: Mirror, commit: str) -> tuple[LackingSubmodule, ...]:
    """The submodules of a commit that its clone lacks, by their paths; none of those within them.

    Raises CheckoutError where there are too many, or the commit is not there.
    """
    wanted = dict(_wanted("", mirror, commit))
    if not wanted:
        return ()
    known = {each.path for each in submodules(mirror, commit)}
    urls = _urls(mirror.read(commit, ".gitmodules") or b"")
    return tuple(
        LackingSubmodule(path, wanted[path], urls.get(path, ""))
        for path in sorted(wanted.keys() - known)
    )


def _urls(described: bytes) -> Mapping[str, str]:
    """What `.gitmodules` says of each path; nothing where git cannot read it."""
    options = ["config", "--file", "-", "--null", "--get-regexp", r"^submodule\..*\.(path|url)$"]
    try:
        listed = git(options, shielded(), given=described, fine=frozenset({0, 1}))
    except CheckoutError:
        return {}
    found: dict[str, dict[str, str]] = {}
    for setting in map(_SETTING.fullmatch, listed.decode(errors="replace").split("\0")):
        if setting:
            found.setdefault(setting["name"], {})[setting["key"]] = setting["value"]
    return {each["path"].rstrip("/"): each["url"] for each in found.values() if len(each) == 2}


def submodule_named(text: str, tree: Path) -> str:
    """The path of a submodule that a tree lacks and a text names, or something in it; else ""."""
    patterns = (rf"(?<![\w.-]){re.escape(path)}(?![\w.-])" for path in empty_submodules(tree))
    named = (found[0] for pattern in patterns if (found := re.search(pattern, text)))
    return max(named, key=len, default="")


def empty_submodules(tree: Path) -> tuple[str, ...]:
    """The paths of the submodules that a tree names and lacks.

    See https://git-scm.com/docs/gitmodules.
    """
    try:
        described = (tree / ".gitmodules").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    paths = (path.strip().strip('"').rstrip("/") for path in _PATH.findall(described))
    return tuple(path for path in paths if not _is_filled(tree / path))


def _is_filled(directory: Path) -> bool:
    try:
        return any(directory.iterdir())
    except (OSError, ValueError):
        return False


def _wanted(above: str, mirror: Mirror, commit: str) -> Iterator[tuple[str, str]]:
    """The path, below another one, and the commit of each submodule of a commit."""
    for path, entry in mirror.listing(commit).items():
        if entry.kind is EntryKind.SUBMODULE:
            yield f"{above}{path}", entry.object_id


def _holders(commits: Set[str], others: Sequence[Mirror]) -> Mapping[str, Mirror]:
    """The first repository that has each commit with all that is in it."""
    found: dict[str, Mirror] = {}
    for other in others:
        found |= dict.fromkeys(_held(other, sorted(commits - found.keys())), other)
    return found


def _held(other: Mirror, commits: Sequence[str]) -> list[str]:
    """The commits that a repository has as a whole; none of one that git cannot read."""
    try:
        lacking = other.lacking(commits)
        return [each for each in commits if each not in lacking and not other.absent(each)]
    except CheckoutError:
        return []


def _repositories(mirror: Mirror) -> Iterator[Mirror]:
    """The repositories that a clone keeps of its submodules, wherever below `modules` they lie."""
    places = dict.fromkeys([mirror.place.common, mirror.place.own])
    pending = [place / "modules" for place in places]
    for _ in range(_MOST_DIRECTORIES):
        if not pending:
            return
        directory = pending.pop()
        names = _directories(directory)
        if {"objects", "refs"} <= names:
            yield _opened(directory, mirror)
            names &= {"modules"}
        pending += [directory / name for name in sorted(names)]


def _directories(directory: Path) -> set[str]:
    """The names of the directories in a directory; links to some are none."""
    try:
        with os.scandir(directory) as entries:
            return {entry.name for entry in entries if entry.is_dir(follow_symlinks=False)}
    except OSError:
        return set()


def _opened(directory: Path, mirror: Mirror) -> Mirror:
    """A repository of a submodule, whose objects are named as those of the whole."""
    place = GitDirectory(directory, directory, mirror.place.algorithm)
    return Mirror(place, ObjectStore(directory / "objects", mirror.store.reader))
