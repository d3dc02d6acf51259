"""The languages that tests can be written in, by name and by the paths of files."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

from evaluator.errors import InputError
from evaluator.execution import Subject
from generator.languages.protocol import Language, Symbol

_added: list[Language] = []


@functools.cache
def _built_in() -> tuple[Language, ...]:
    # Imported when first asked for: the parts of a language use modules that ask for languages.
    from generator.languages.python import PYTHON

    return (PYTHON,)


def languages() -> tuple[Language, ...]:
    """Every known language, the default one first."""
    return (*_built_in(), *_added)


def language(name: str) -> Language:
    """The language of this name. Raises InputError where no tests can be written in it."""
    for known in languages():
        if known.name == name:
            return known
    raise InputError(f"no tests can be written in language `{name}`")


def language_of(subject: Subject) -> Language:
    """The language of a repository's tests, by its recipe. Raises InputError."""
    return language(next(iter(subject.environments.values())).recipe.language)


def is_source(path: str) -> bool:
    """Whether a file is a source of a known language."""
    return any(path.endswith(known.suffixes) for known in languages())


def outline(path: str, text: str) -> tuple[Symbol, ...]:
    """The classes and functions of a file, by the language of its name."""
    return language_of_file(path).outlines.outline(text)


def outline_text(path: str, text: str) -> str:
    """The outline of a file for people and models."""
    outlines = language_of_file(path).outlines
    return outlines.outline_text(outlines.outline(text))


def language_of_file(path: str) -> Language:
    """The language of a file, the default one for a name that shows none."""
    known = languages()
    fitting = (one for one in known if path.endswith(one.suffixes))
    return next(fitting, known[0])


@contextlib.contextmanager
def registered(added: Language) -> Iterator[None]:
    """Have one more language for a while. Raises ValueError where its name is taken."""
    if any(known.name == added.name for known in languages()):
        raise ValueError(f"language `{added.name}` is registered already")
    _added.append(added)
    try:
        yield
    finally:
        _added.remove(added)
