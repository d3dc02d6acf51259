"""The languages that are known, by name and by the paths of a repository."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from evaluator.environment.types import Recipe
from evaluator.errors import EnvironmentBuildError, InputError
from evaluator.languages.protocol import Framework, Language


class Named(Protocol):
    """What is registered."""

    @property
    def name(self) -> str:
        """What it is found by."""
        ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """The languages that `built_in` returns, asked once and when first needed, and added ones."""

    def __init__(self, built_in: Callable[[], tuple[Entry, ...]]) -> None:
        self._built_in = functools.cache(built_in)
        self._added: list[Entry] = []

    def all(self) -> tuple[Entry, ...]:
        """Every known language, the default one first."""
        return (*self._built_in(), *self._added)

    def named(self, name: str) -> Entry | None:
        """The language of this name, None where none has it."""
        return next((known for known in self.all() if known.name == name), None)

    @contextlib.contextmanager
    def registered(self, added: Entry) -> Iterator[None]:
        """Have one more language for a while. Raises ValueError where its name is taken."""
        if self.named(added.name) is not None:
            raise ValueError(f"there is a language `{added.name}` already")
        self._added.append(added)
        try:
            yield
        finally:
            self._added.remove(added)


BUILT_IN = ("python", "java")
"""The languages that have a package beside this module, the default one first."""


def built_in(package: str) -> tuple[Any, ...]:
    """`PYTHON` of `package.python`, and so on.

    Imported by name, when first asked for: the parts of a language use modules that ask for
    languages.
    """
    return tuple(getattr(import_module(f"{package}.{n}"), n.upper()) for n in BUILT_IN)


_REGISTRY: Registry[Language] = Registry(functools.partial(built_in, "evaluator.languages"))
languages = _REGISTRY.all
registered = _REGISTRY.registered


def language(name: str) -> Language:
    """The language of this name. Raises EnvironmentBuildError where none has it."""
    known = _REGISTRY.named(name)
    if known is None:
        names = ", ".join(each.name for each in languages())
        raise EnvironmentBuildError(f"language `{name}` is not known; known are {names}")
    return known


def language_of(paths: Iterable[str]) -> Language:
    """The language of a change to these paths: that of its tests, else of most of its sources.

    The default one where the paths belong to none.
    """
    changed = tuple(paths)

    def share(known: Language) -> tuple[int, int]:
        runnable = sum(known.tests.is_test(p) and known.tests.is_runnable(p) for p in changed)
        return runnable, sum(path.endswith(known.suffixes) for path in changed)

    return max(languages(), key=share)


def source_language(path: str) -> Language | None:
    """The language whose source a file is; None for a file that is no source."""
    return next((known for known in languages() if path.endswith(known.suffixes)), None)


def language_of_tree(tree: Path) -> Language:
    """The language of most tests and sources of a tree."""
    known = languages()
    return known[0] if len(known) == 1 else language_of(_files(tree))


def _files(tree: Path) -> Iterator[str]:
    for directory, _, names in os.walk(tree):
        for name in names:
            yield Path(directory, name).relative_to(tree).as_posix()


def framework_of(recipe: Recipe) -> Framework:
    """The test framework of a recipe. Raises InputError for a name that is not known."""
    frameworks = language(recipe.language).frameworks
    try:
        return frameworks[recipe.framework]
    except KeyError:
        names = ", ".join(sorted(frameworks))
        message = f"framework `{recipe.framework}` is not known; use one of {names}"
        raise InputError(message) from None


def is_test_file(path: str) -> bool:
    """Whether a file belongs to a project's tests: a source in its language, any other in one."""
    own = source_language(path)
    return any(known.tests.is_test(path) for known in ((own,) if own else languages()))


def runnable_test_files(paths: Iterable[str]) -> tuple[str, ...]:
    """The files that a test framework of some language can be given, in order, each once.

    That leaves out data files, files that hold no tests of their own, and sources that tests only
    read.
    """
    return tuple(dict.fromkeys(path for path in paths if _is_runnable(path)))


def _is_runnable(path: str) -> bool:
    return any(known.tests.is_runnable(path) for known in languages())


def produced_directories() -> frozenset[str]:
    """Names of directories in a tree that hold what tools left behind, and its history."""
    return frozenset({".git"}).union(*(known.tests.produced for known in languages()))
