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
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bot.jobs.fetching import fetch
from evaluator import CheckoutError
from evaluator.checkout import LackingSubmodule, is_full_name
from evaluator.storage import DirectoryLock

MOST: Final = 20
"""For one job; further ones are left to the next."""
LONGEST: Final = 120.0
"""Seconds that one may take."""
_OVER_THE_WEB = {"GIT_ALLOW_PROTOCOL": "http:https"}
_log = logging.getLogger(__name__)


def bring_submodules(modules: Path, lacked: Sequence[LackingSubmodule], url: str) -> None:
    """Fetch the submodules that a mirror lacks for a commit into its directory `modules`.

    `url` is where the mirror comes from, and the commit one of its own branches: whoever proposes a
    change does not choose what is fetched. What cannot be is logged and left out; tests that need
    it say so.
    """
    modules.mkdir(exist_ok=True)
    for each in lacked[:MOST]:
        if source := public_source(each.url, url):
            _fetch(modules, source, each.commit)


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
    return f"{site}/{full_name}.git" if is_full_name(full_name) else ""


def _fetch(modules: Path, url: str, commit: str) -> None:
    """Bring one commit of a repository, under a name of ours, so that it stays."""
    place = modules / "+".join(url.removesuffix(".git").rsplit("/", 2)[1:])
    arguments = ["--depth=1", url, f"+{commit}:refs/fixgate/{commit}"]
    try:
        with DirectoryLock.waiting(modules):
            fetch(place, arguments, _OVER_THE_WEB, seconds=LONGEST)
    except CheckoutError as error:
        _log.info("the submodule at %s is left out: %s", url, error)
