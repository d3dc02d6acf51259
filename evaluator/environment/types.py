"""Recipes and the environments that are built from them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.sandbox.protocol import Mount


@dataclass(frozen=True)
class Service:
    """A program that tests need beside them, started inside the sandbox on its loopback.

    `command` runs with the environment's interpreter first on PATH; `{port}` in it and in
    `variables` is replaced by a free port. `variables` are set for the tests once the port answers.
    """

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """How a repository at some versions is installed and tested.

    `python` lists acceptable minor versions, preferred first; the first installed one for which
    every package has a wheel is taken. `packages` and the files named by `requirement_files` are
    resolved as of `resolve_as_of` (the instance's date where None), with `newer_packages` exempt
    from that date because they were uploaded again later. A requirement file is one of pip's, a
    lock file, whose pins only constrain, or `setup.py[test]`, the project's own with extras.
    `install` is `metadata`, which writes the project's metadata beside its sources; `wheel`, which
    builds a wheel of the tree for its compiled and generated files; or a shell command, run in a
    copy of the tree with the environment active, read-only, and no network. The files that it
    creates are kept and laid over every later tree of that commit. `binaries` names a release, or
    several separated by spaces (`scikit-learn==0.21.3`): the compiled files of the first one that
    has every module of which the tree has a source (`.pyx`) are laid over the tree. Where none
    has, or the fix touches compiled sources, they are built from the tree as with `wheel`.
    `import_roots` are directories of the tree that go on PYTHONPATH.
    """

    python: tuple[str, ...]
    framework: str = "pytest"
    packages: tuple[str, ...] = ()
    requirement_files: tuple[str, ...] = ()
    resolve_as_of: datetime.date | None = None
    newer_packages: tuple[str, ...] = ()
    pre_install: tuple[str, ...] = ()
    install: str = ""
    binaries: str = ""
    import_roots: tuple[str, ...] = ("",)
    test_arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    services: tuple[Service, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Environment:
    """A built environment: an interpreter with packages, and files to lay over the tree.

    `key` is the content hash of all that went into it. `visible` lists host directories that the
    sandbox shows read-only under their own path (the virtual environment, the interpreter).
    `overlay` is a directory whose files are laid over the work tree, or None.
    """

    key: str
    python: Path
    recipe: Recipe
    packages: tuple[str, ...]
    visible: tuple[Path, ...]
    overlay: Path | None = None

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What a sandbox shows of the host so that the interpreter works, read-only."""
        return tuple(Mount(path, PurePosixPath(path)) for path in self.visible)
