"""Compiles a changed tree once for all runs of its tests, where its language is compiled."""

from __future__ import annotations

import contextlib
import threading
import weakref
from pathlib import Path

from evaluator.checkout.scratch import Scratch
from evaluator.environment.types import Environment
from evaluator.languages import language
from evaluator.sandbox.protocol import ResourceLimits, Sandbox

_MOST_KEPT = 8
"""Trees of which the classes are kept: a verdict runs a few of them again and again."""


class _Places:
    """Directories below `root`, which is made when the first one is wanted."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._scratch: Scratch | None = None

    def directory(self) -> contextlib.AbstractContextManager[Path]:
        """A new one, removed at the end."""
        with self._lock:
            self._scratch = self._scratch or Scratch(self._root)
            return self._scratch.directory()


class CompiledTree:
    """What a changed tree is compiled to; it is removed when nobody holds this any more."""

    def __init__(self, sandbox: Sandbox, places: _Places) -> None:
        self._sandbox = sandbox
        self._places = places
        self._lock = threading.Lock()
        self._environment: Environment | None = None
        self._made = contextlib.ExitStack()
        # What is left at the end of the process is removed with the scratch directory.
        weakref.finalize(self, self._made.close).atexit = False

    def environment(
        self, environment: Environment, tree: Path, limits: ResourceLimits
    ) -> Environment:
        """The environment for runs of this tree, which is compiled now if no run did it before.

        Raises CheckoutError and SandboxError.
        """
        compiler = language(environment.recipe.language).compiler
        if compiler is None:
            return environment
        with self._lock:
            if self._environment is None:
                place = self._made.enter_context(self._places.directory())
                self._environment = compiler(
                    environment, tree, place, sandbox=self._sandbox, limits=limits
                )
            return self._environment


class CompiledTrees:
    """The trees that were asked for last, kept below `root` while this process lives.

    Safe to share between threads; several processes may use the same directory.
    """

    def __init__(self, sandbox: Sandbox, root: Path) -> None:
        self._sandbox = sandbox
        self._places = _Places(root)
        self._lock = threading.Lock()
        self._kept: dict[str, CompiledTree] = {}

    def tree(self, key: str) -> CompiledTree:
        """That of a content and an environment. To be held as long as something of it runs."""
        with self._lock:
            found = self._kept.pop(key, None) or CompiledTree(self._sandbox, self._places)
            self._kept[key] = found
            if len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return found
