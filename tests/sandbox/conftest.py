"""A bench on which programs, most of them hostile, run in each of the sandboxes."""

from __future__ import annotations

import dataclasses
import os
import select
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import (
    MEBIBYTE,
    Command,
    CommandResult,
    Mount,
    ResourceLimits,
    Sandbox,
)

# Small, so that reaching a limit takes no time and nothing of the machine.
LIMITS = {
    "wall_seconds": 20.0,
    "cpu_seconds": 20.0,
    "memory_bytes": 200 * MEBIBYTE,
    "processes": 64,
    "disk_bytes": 20 * MEBIBYTE,
    "output_bytes": MEBIBYTE,
}
WALLED = [
    pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
    pytest.param("docker", marks=pytest.mark.docker),
]
EVERY = [*WALLED, "process"]


@dataclass
class Bench:
    """A sandbox with a writable tree, a read-only directory and an interpreter."""

    sandbox: Sandbox
    tree: Path
    fixed: Path

    @property
    def mounts(self) -> tuple[Mount, ...]:
        interpreter = Path(sys.base_prefix)
        shown = () if interpreter.is_relative_to("/usr") else (interpreter,)
        return (
            Mount(self.tree, PurePosixPath("/srv/tree"), writable=True),
            Mount(self.fixed, PurePosixPath("/srv/fixed")),
            *(Mount(path, PurePosixPath(path)) for path in shown),
        )

    def command(
        self,
        *argv: str,
        network: bool = False,
        environment: dict[str, str] | None = None,
        **limits: float,
    ) -> Command:
        places = {
            "TREE": self.sandbox.location(self.mounts[0]),
            "FIXED": self.sandbox.location(self.mounts[1]),
        }
        return Command(
            argv=argv,
            directory=places["TREE"],
            mounts=self.mounts,
            environment={**places, **(environment or {})},
            limits=ResourceLimits(**{**LIMITS, **limits}),  # type: ignore[arg-type]
            network=network,
        )

    def run(self, *argv: str, **settings: float) -> CommandResult:
        return self.sandbox.run(self.command(*argv, **settings))  # type: ignore[arg-type]

    def python(self, code: str, **settings: float) -> CommandResult:
        """Run a program that finds `tree` and `fixed` as paths."""
        start = "import os, sys\ntree, fixed = os.environ['TREE'], os.environ['FIXED']\n"
        interpreter = str(Path(sys.executable).resolve())
        return self.run(interpreter, "-c", start + textwrap.dedent(code), **settings)

    def start_seconds(self) -> float:
        """How long a program that does nothing takes here and now."""
        return self.python("pass").wall_seconds


@pytest.fixture(scope="session")
def sandboxes() -> Callable[[str], Sandbox]:
    made: dict[str, Sandbox] = {}

    def get(name: str) -> Sandbox:
        if name not in made:
            made[name] = choose_sandbox(name)
        return made[name]

    return get


@pytest.fixture
def bench_in(sandboxes: Callable[[str], Sandbox], tmp_path: Path) -> Callable[[str], Bench]:
    tree, fixed = tmp_path / "tree", tmp_path / "fixed"
    tree.mkdir(exist_ok=True)
    fixed.mkdir()
    (fixed / "kept.txt").write_text("kept")
    return lambda name: Bench(sandboxes(name), tree, fixed)


@pytest.fixture(params=EVERY)
def bench(request: pytest.FixtureRequest, bench_in: Callable[[str], Bench]) -> Bench:
    """Every sandbox in turn."""
    return bench_in(request.param)


@pytest.fixture
def bench_on_tmpfs(bench: Bench) -> Iterator[Bench]:
    """With its tree on a file system whose free space nothing else changes meanwhile."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as tree:
        yield dataclasses.replace(bench, tree=Path(tree))


@pytest.fixture(params=WALLED)
def walled(request: pytest.FixtureRequest, bench_in: Callable[[str], Bench]) -> Bench:
    """The sandboxes that untrusted code may run in."""
    return bench_in(request.param)


class Lifeline:
    """A named pipe in a tree: whatever opens `alive` to write says so, and its end is seen here.

    The kernel reports the end of the pipe once no process holds it open, so that neither a slow
    machine nor a sleeping process looks like a dead one.
    """

    def __init__(self, tree: Path) -> None:
        path = tree / "alive"
        os.mkfifo(path)
        path.chmod(0o666)
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._poll = select.poll()
        self._poll.register(self._end, select.POLLIN)
        self._was_held = False

    def wait_until_held(self, seconds: float = 120.0) -> None:
        """Wait for somebody to write."""
        assert self._poll.poll(1000 * seconds), "nobody opened it"
        assert os.read(self._end, 1)
        self._was_held = True

    def is_released(self, seconds: float = 0.0) -> bool:
        """Whether all who held it are dead, or are within some seconds; some must have held it."""
        deadline = time.monotonic() + seconds
        while self._poll.poll(1000 * max(0.0, deadline - time.monotonic())):
            if not os.read(self._end, 65536):
                return self._was_held
            self._was_held = True
        return False

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    """In the tree of `bench_in`, and so in that of `bench` and `walled`."""
    (tmp_path / "tree").mkdir(exist_ok=True)
    made = Lifeline(tmp_path / "tree")
    yield made
    made.close()
