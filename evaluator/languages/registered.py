"""Languages by name, to which others can be added: for those who judge tests and who write them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar


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
