"""Finds the repository that holds a commit, at the places that templates name."""

from __future__ import annotations

import functools
import math
import re
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from evaluator.checkout.git import fetching, git
from evaluator.checkout.mirror import Mirror
from evaluator.errors import CheckoutError
from evaluator.storage.once import make_once

_URL = re.compile(r"[a-z][a-z0-9+.-]*://|[^/]+@[^/]+:")
_SECONDS_BETWEEN_CLONES = 300.0
_REPO = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+", re.ASCII)
_NOT_IN_NAMES = re.compile(r"[^\w.-]+", re.ASCII)


def local_name(repository: Path) -> str:
    """What a repository on this machine is called, in the form owner/name, by its directory."""
    place = repository.resolve()
    directory = place.parent if place.name == ".git" else place
    name = _NOT_IN_NAMES.sub("-", directory.name).lstrip(".")
    return f"local/{name or 'repository'}"


class Repositories:
    """Where repositories come from.

    Each template is a URL or a local path in which `{owner}` and `{name}` stand for the two parts
    of a repository's name. A URL is mirrored into `cache` once, when first asked for; a local
    path may be a bare repository or a work tree, and is only ever read.
    """

    def __init__(self, templates: Sequence[str], cache: Path) -> None:
        self._templates = tuple(templates)
        self._cache = cache.absolute()
        self._mirrors: dict[str, Mirror] = {}
        self._failures: dict[str, tuple[float, CheckoutError]] = {}

    def find(self, repo: str, commit: str) -> Mirror:
        """The repository of the first template that has the commit of `repo` (`owner/name`).

        Raises CheckoutError naming every place that was tried and why it does not do.
        """
        reasons = []
        for place in self.places(repo):
            try:
                return self._with_commit(place, commit)
            except CheckoutError as error:
                reasons.append(f"  {place}: {error}")
        tried = "\n".join(reasons) or "  nowhere: no template is given"
        raise CheckoutError(
            f"commit {commit} of {repo} is nowhere to be found; tried\n{tried}\n"
            "Name a place that has it with --repos."
        )

    def places(self, repo: str) -> tuple[str, ...]:
        """The templates filled in for a repository."""
        if not is_full_name(repo):
            raise CheckoutError(f"{repo!r} is not a repository name of the form owner/name")
        owner, _, name = repo.partition("/")
        return tuple(
            template.replace("{owner}", owner).replace("{name}", name)
            for template in self._templates
        )

    def _with_commit(self, place: str, commit: str) -> Mirror:
        mirror = self._opened(place)
        try:
            mirror.resolve(commit)
        except CheckoutError:
            if not is_url(place):
                raise
            fetch_commit(mirror, place, commit)
        return mirror

    def _opened(self, place: str) -> Mirror:
        """The repository at a place, opened once; a clone that failed is not tried again soon."""
        failed_at, error = self._failures.get(place, (-math.inf, None))
        if error is not None and time.monotonic() - failed_at < _SECONDS_BETWEEN_CLONES:
            raise error
        if place not in self._mirrors:
            self._mirrors[place] = self._open(place)
        return self._mirrors[place]

    def _open(self, place: str) -> Mirror:
        if not is_url(place):
            return Mirror.open(Path(place).expanduser(), self._cache)
        shelf = self._cache / "mirrors" / quote(place, safe="")
        try:
            cloned = make_once(shelf, "mirror", functools.partial(clone, place))
        except CheckoutError as error:
            self._failures[place] = (time.monotonic(), error)
            raise
        return Mirror.open(cloned, self._cache)


def is_full_name(text: str) -> bool:
    """Whether a text names a repository in the form owner/name."""
    return _REPO.fullmatch(text) is not None


def is_url(place: str) -> bool:
    """Whether a place is a URL (or `user@host:path`), and not a path on this machine."""
    return _URL.match(place) is not None


def clone(url: str, target: Path) -> None:
    """Make a mirror of everything at a URL. Raises CheckoutError."""
    try:
        git(["clone", "--quiet", "--mirror", "--", url, str(target)], fetching())
    except CheckoutError as error:
        raise CheckoutError(f"cannot be cloned: {error}") from error


def fetch_commit(mirror: Mirror, url: str, commit: str) -> None:
    """Get a commit that came, or became reachable, after the mirror was made."""
    place = str(mirror.git_directory)
    try:
        fetch = ["--git-dir", place, "fetch", "--quiet", "--no-auto-gc", "--", url, commit]
        git(fetch, fetching())
    except CheckoutError as error:
        raise CheckoutError(f"commit {commit} is not in it ({error})") from error
    mirror.resolve(commit)
