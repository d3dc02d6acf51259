"""`fixgate serve --embedded` as a process, with all that comes of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import psutil
import requests

from tests.ports import free_port
from tests.web.conftest import TOKEN


class Running:
    """The command from `with` to its end; what it said is printed where a test fails.

    `python` is the interpreter of the environment that fixgate is installed in.
    """

    def __init__(self, folder: Path, python: str = sys.executable, **environment: str) -> None:
        self.folder, self.log, self._python = folder, folder / "log", python
        port = environment.get("FIXGATE_PORT") or str(free_port())
        self.url = f"http://127.0.0.1:{port}"
        self._environment = {
            "PATH": os.environ["PATH"],
            "FIXGATE_DATA_DIRECTORY": str(folder / "data"),
            "FIXGATE_PORT": port,
            "FIXGATE_PUBLIC_URL": self.url,
            "FIXGATE_DASHBOARD_TOKEN": TOKEN,
            "FIXGATE_SANDBOX": "process",
            **environment,
        }

    def __enter__(self) -> Running:
        arguments = [self._python, "-m", "bot", "serve", "--embedded"]
        with self.log.open("wb") as log:
            # Elsewhere than in a checkout, which would take the place of what is installed.
            self.process = subprocess.Popen(
                arguments, env=self._environment, cwd=self.folder, stdout=log, stderr=log
            )
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        if kind is not None:
            print(self.log.read_text())  # noqa: T201 - needed to understand what failed
        if self.process.poll() is None:
            for child in self.children():
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
            self.process.kill()
        self.process.wait()

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def programs(self) -> set[str]:
        """The names of its children; what ends while it is looked at has none."""
        found = set()
        for one in self.children():
            with contextlib.suppress(psutil.NoSuchProcess):
                found.add(one.name())
        return found

    def child(self, *words: str) -> psutil.Process | None:
        """One whose arguments end so."""
        for one in self.children():
            with contextlib.suppress(psutil.Error):
                if one.cmdline()[-len(words) :] == list(words):
                    return one
        return None

    def answers(self, path: str = "/healthz") -> bool:
        try:
            return requests.get(self.url + path, timeout=5).ok
        except requests.RequestException:
            return False
