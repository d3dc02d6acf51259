"""Submodules in a bare repository, without cloning them anywhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Gitlinks:
    """Commits to the branch `main` of a bare repository; `index` is a file for git's own use."""

    repository: Path
    index: Path

    def add(self, described: str, commits: Mapping[str, str]) -> str:
        """Commit a `.gitmodules` and submodules: the commit of each, by its path."""
        self._git("read-tree", "main")
        blob = self._git("hash-object", "-w", "--stdin", given=described)
        self._git("update-index", "--add", "--cacheinfo", f"100644,{blob},.gitmodules")
        for path, commit in commits.items():
            self._git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
        made = self._git("commit-tree", self._git("write-tree"), "-p", "main", "-m", "Submodules")
        self._git("update-ref", "refs/heads/main", made)
        return made

    def _git(self, *arguments: str, given: str = "") -> str:
        roles, keys = ("AUTHOR", "COMMITTER"), ("NAME", "EMAIL")
        person = {f"GIT_{role}_{key}": "alice@example.org" for role in roles for key in keys}
        place = {"GIT_DIR": str(self.repository), "GIT_INDEX_FILE": str(self.index)}
        command, environment = ["git", *arguments], {**os.environ, **person, **place}
        return subprocess.check_output(command, env=environment, input=given, text=True).strip()


def described(urls: Mapping[str, str]) -> str:
    """What `.gitmodules` says of submodules: the URL of each, by its path."""
    return "".join(
        f'[submodule "{path}"]\n\tpath = {path}\n\turl = {url}\n' for path, url in urls.items()
    )
