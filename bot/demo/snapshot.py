"""Saves pages of running sites as files that link to each other."""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import requests

from bot.demo.app import DemoError

MOST_PAGES: Final = 200
_LINK = re.compile(r'(?<= href=")[^"#]+')
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class SnapshotSite:
    """A running site, the name of the files of its pages, and what it wants to be asked with."""

    url: str
    name: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def file(self, url: str) -> str:
        """The name of the file of one of its pages."""
        place = urlsplit(url)
        if place.path.endswith(".css"):
            return f"{self.name}.css"
        path = _UNSAFE.sub("-", unquote(f"{place.path}?{place.query}")).strip("-")
        return f"{self.name}-{path}.html" if path else f"{self.name}.html"


class Snapshot:
    """Pages of some sites in a directory; `saved` has the file of each address."""

    def __init__(self, sites: Sequence[SnapshotSite], directory: Path) -> None:
        """The directory is made."""
        directory.mkdir(parents=True, exist_ok=True)
        self._sites, self._directory = sites, directory
        self._session = requests.Session()
        self._session.trust_env = False
        self.saved: dict[str, Path] = {}

    def take(self, *urls: str) -> None:
        """Save pages, and all of the sites that can be reached from them. Raises DemoError."""
        ahead = deque(urls)
        while ahead and len(self.saved) < MOST_PAGES:
            url = ahead.popleft()
            if url not in self.saved:
                ahead.extend(self._save(url))

    def _save(self, url: str) -> list[str]:
        site = self._site(url)
        assert site is not None  # only their pages are asked for
        got = self._session.get(url, headers=dict(site.headers), timeout=30)
        if not got.ok:
            raise DemoError(f"{url} answers {got.status_code}")
        path = self.saved[url] = self._directory / site.file(url)
        links = {link: urljoin(url, html.unescape(link)) for link in _LINK.findall(got.text)}
        inside = {link: there for link, there in links.items() if self._site(there)}
        path.write_text(_FORM.sub("", self._relinked(got.text, inside)), encoding="utf-8")
        return list(inside.values())

    def _relinked(self, text: str, links: Mapping[str, str]) -> str:
        files = {link: site.file(to) for link, to in links.items() if (site := self._site(to))}
        return _LINK.sub(lambda found: files.get(found[0], found[0]), text)

    def _site(self, url: str) -> SnapshotSite | None:
        return next((site for site in self._sites if url.startswith(f"{site.url}/")), None)
