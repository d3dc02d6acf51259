"""Compiles a tree's packages once, so that each run of its tests need not do so again.

The bytecode is checked against its source by content whenever it is imported (PEP 552), so that
what a change brings along is compiled anew in each run. Nothing of the repository is executed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.environment.tools import BUILD_LIMITS, at_own_path, link_file, regular_files
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.uv import Uv
from evaluator.languages.python.test_files import PythonTests
from evaluator.sandbox.protocol import Command
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

FIRST_WITH_CHECKED_HASHES = (3, 7)
MOST_LEVELS = "50"
_TESTS = PythonTests()


@dataclass(frozen=True)
class Bytecode:
    """The bytecode of a tree's packages for an interpreter, laid out as the tree.

    `roots` are the directories of the tree that packages are imported from.
    """

    tree: Path
    tree_key: str
    roots: tuple[str, ...]
    interpreter: Interpreter

    def overlays(self, uv: Uv) -> tuple[Path, ...]:
        """The directory that holds it; none where the interpreter cannot check it by content.

        What does not compile is left out. Raises SandboxError.
        """
        version = tuple(map(int, self.interpreter.minor.split(".")))
        if version < FIRST_WITH_CHECKED_HASHES:
            return ()
        key = short_key(self.tree_key, self.interpreter.version, sorted(self.roots))
        return (make_once(uv.cache / "bytecode", key, lambda place: self._fill(uv, place)),)

    def _fill(self, uv: Uv, place: Path) -> None:
        place.mkdir()
        with uv.scratch() as scratch:
            copy = scratch / "tree"
            copy.mkdir()
            for file in self._modules():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.tree / file, copy / file)
            compile_modules(uv, self.interpreter, copy, "--invalidation-mode", "checked-hash")
            for file in regular_files(copy):
                if file.endswith(".pyc"):
                    link_file(copy / file, place / file)

    def _modules(self) -> Iterator[str]:
        """What tests may import: the modules and packages of the roots, without the tests."""
        for file in regular_files(self.tree):
            if file.endswith(".py") and not _TESTS.is_test(file) and self._is_importable(file):
                yield file

    def _is_importable(self, file: str) -> bool:
        path = PurePosixPath(file)
        roots = [PurePosixPath(root) for root in self.roots if path.is_relative_to(root)]
        return any(self._is_below(path, root) for root in roots)

    def _is_below(self, path: PurePosixPath, root: PurePosixPath) -> bool:
        """Whether a file is a module of a root, or lies in one of its packages."""
        first = root / path.relative_to(root).parts[0]
        return first == path or (self.tree / first / "__init__.py").is_file()


def compile_modules(uv: Uv, interpreter: Interpreter, place: Path, *options: str) -> None:
    """Write the bytecode of all modules below a directory beside them.

    In the sandbox, because what was built there may have left links that lead elsewhere. `-I -S`
    keeps start-up hooks of packages (`.pth` files) from running; a file that does not compile (a
    template, Python 2) is no failure. Raises SandboxError.
    """
    quiet = ("-I", "-S", "-W", "ignore", "-m", "compileall", "-qq", "-r", MOST_LEVELS)
    command = Command(
        argv=(str(interpreter.path), *quiet, *options, str(place)),
        directory=str(place),
        mounts=(at_own_path(interpreter.prefix), at_own_path(place, writable=True)),
        limits=BUILD_LIMITS,
    )
    uv.sandbox.run(command)
