"""Submodules of a mirror: fetched as anybody may, without the App's token.

A commit says in `.gitmodules` where its submodules come from. With a token that could be a private
repository of the same account, and what tests print is shown to everybody. Only the GitHub of the
mirror is asked, so that no commit turns the worker to the network that it stands in.
See https://git-scm.com/docs/gitmodules.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bot.jobs.fetching import fetch
from evaluator import CheckoutError
from evaluator.checkout.git import git, shielded
from evaluator.checkout.listing import EntryKind
from evaluator.checkout.mirror import Mirror
from evaluator.checkout.submodules import submodules
from evaluator.storage import DirectoryLock

MOST: Final = 20
"""Of one commit; further ones are left out."""
LONGEST: Final = 120.0
"""Seconds that one may take."""
_SETTING = re.compile(r"submodule\.(?P<name>.+)\.(?P<key>path|url)\n(?P<value>.+)", re.DOTALL)
_NAME = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+", re.ASCII)
_OVER_THE_WEB = {"GIT_ALLOW_PROTOCOL": "http:https"}
_log = logging.getLogger(__name__)


def bring_submodules(place: Path, commit: str, url: str, cache: Path) -> None:
    """Fetch the submodules of a commit that its mirror lacks, but none of those within them.

    `url` is where the mirror comes from, and the commit one of its own branches: whoever proposes a
    change does not choose what is fetched. What cannot be is logged and left out; tests that need
    it say so. Raises CheckoutError where the commit is not there.
    """
    mirror = Mirror.open(place, cache)
    wanted = _wanted(mirror, commit)
    if not wanted:
        return
    known = {each.path for each in submodules(mirror, commit)}
    urls = _urls(mirror.read(commit, ".gitmodules") or b"")
    for path, submodule in sorted(wanted.items())[:MOST]:
        source = public_source(urls.get(path, ""), url)
        if source and path not in known:
            _fetch(place / "modules", source, submodule)


def public_source(text: str, own: str) -> str:
    """The URL to ask for a submodule that `.gitmodules` has at `text`; "" where none is asked.

    `own` is the URL of the repository itself, `SITE/OWNER/NAME.git`; the answer has that form, too.
    """
    site, owner, name = own.rsplit("/", 2)
    host = re.escape(urlsplit(site).hostname or "")
    if text.startswith(("./", "../")):
        path = posixpath.normpath(f"{owner}/{name}/{text}")
    else:
        places = rf"(?:(?:https?|ssh|git)://(?:[^/@]+@)?{host}(?::\d+)?/|[^/@:]+@{host}:)/*(.*)"
        found = re.fullmatch(places, text, re.IGNORECASE)
        path = found[1] if found else ""
    full_name = path.rstrip("/").removesuffix(".git")
    return f"{site}/{full_name}.git" if _NAME.fullmatch(full_name) else ""


def _wanted(mirror: Mirror, commit: str) -> Mapping[str, str]:
    """The commit of each submodule, by its path."""
    entries = mirror.listing(commit).items()
    return {path: entry.object_id for path, entry in entries if entry.kind is EntryKind.SUBMODULE}


def _urls(described: bytes) -> Mapping[str, str]:
    """What `.gitmodules` says of each path; nothing where git cannot read it."""
    options = ["config", "--file", "-", "--null", "--get-regexp", r"^submodule\..*\.(path|url)$"]
    try:
        listed = git(options, shielded(), given=described, fine=frozenset({0, 1}))
    except CheckoutError as error:
        _log.info(".gitmodules cannot be read: %s", error)
        return {}
    found: dict[str, dict[str, str]] = {}
    for setting in map(_SETTING.fullmatch, listed.decode(errors="replace").split("\0")):
        if setting:
            found.setdefault(setting["name"], {})[setting["key"]] = setting["value"]
    return {each["path"].rstrip("/"): each["url"] for each in found.values() if len(each) == 2}


def _fetch(modules: Path, url: str, commit: str) -> None:
    """Bring one commit of a repository, under a name of ours, so that it stays."""
    place = modules / "+".join(url.removesuffix(".git").rsplit("/", 2)[1:])
    modules.mkdir(exist_ok=True)
    arguments = ["--depth=1", url, f"+{commit}:refs/fixgate/{commit}"]
    try:
        with DirectoryLock.waiting(modules):
            fetch(place, arguments, _OVER_THE_WEB, seconds=LONGEST)
    except CheckoutError as error:
        _log.info("the submodule at %s is left out: %s", url, error)
