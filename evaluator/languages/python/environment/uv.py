"""Runs uv: on this machine where it only unpacks wheels, in the sandbox where it builds."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from evaluator.environment.tools import BUILD_LIMITS, ToolError, at_own_path, run_command
from evaluator.sandbox.protocol import Command, Mount, Sandbox
from evaluator.storage.scratch import scratch

UV_SECONDS = 1800


@dataclass(frozen=True)
class Uv:
    """uv with the settings of this installation.

    `cache` is the directory under which everything that fixgate builds is kept; `index_url` the
    package index to use in place of the default one; `ca_bundle` the certificates to trust.
    """

    cache: Path
    sandbox: Sandbox
    index_url: str | None = None
    ca_bundle: Path | None = None
    offline: bool = False

    def run(self, arguments: Sequence[str]) -> str:
        """Run uv on this machine and return its standard output.

        Only for what executes no code of packages (`--no-build`). Raises ToolError.
        """
        self.cache.mkdir(parents=True, exist_ok=True)
        completed = subprocess.run(
            [find_uv_bin(), *arguments, *self._options()],
            cwd=self.cache,
            env=self._host_variables(),
            capture_output=True,
            text=True,
            timeout=UV_SECONDS,
            check=False,
        )
        if completed.returncode != 0:
            raise ToolError(completed.stderr)
        return completed.stdout

    def run_sandboxed(
        self, arguments: Sequence[str], *, visible: Sequence[Mount], purpose: str
    ) -> None:
        """Run uv in the sandbox with network and a cache of its own, so that it may build.

        What a package's build code does there can reach only the writable mounts of this call:
        never uv's shared cache, nor the environments of other tasks. Raises ToolError.
        """
        with self.scratch() as private:
            mounts = (*visible, at_own_path(private, writable=True), *self._tool_mounts())
            home = private / "home"
            home.mkdir()
            places = {"UV_CACHE_DIR": private / "cache", "HOME": home, "TMPDIR": private}
            variables = {name: str(place) for name, place in places.items()}
            command = Command(
                argv=(find_uv_bin(), *arguments, *self._options()),
                directory=str(home),
                mounts=mounts,
                environment={**variables, **self._certificates(), "PATH": os.defpath},
                limits=BUILD_LIMITS,
                network=True,
                purpose=purpose,
            )
            run_command(self.sandbox, command)

    def scratch(self) -> contextlib.AbstractContextManager[Path]:
        """A directory to be removed, on the disk of the cache so that files can be linked."""
        return scratch(self.cache)

    def _options(self) -> list[str]:
        options = ["--no-progress", "--color=never"]
        if self.index_url:
            options += ["--default-index", self.index_url]
        return [*options, "--offline"] if self.offline else options

    def _host_variables(self) -> dict[str, str]:
        variables = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        return {**variables, **self._certificates(), "UV_PYTHON_DOWNLOADS": "never"}

    def _certificates(self) -> dict[str, str]:
        """The user's own bundle, if any: what fetches from the index must trust the same."""
        bundle = str(self.ca_bundle or os.environ.get("SSL_CERT_FILE", ""))
        return {"SSL_CERT_FILE": bundle} if bundle else {}

    def _tool_mounts(self) -> list[Mount]:
        files = [find_uv_bin(), *self._certificates().values()]
        return [at_own_path(Path(file)) for file in files if Path(file).exists()]
