"""The languages that tests can be written in, by name and by the paths of files."""

from __future__ import annotations

import functools

from evaluator import InputError, Subject
from evaluator.languages.registry import Registry, built_in
from generator.languages.protocol import Language, Symbol

_REGISTRY: Registry[Language] = Registry(functools.partial(built_in, "generator.languages"))
languages = _REGISTRY.all
registered = _REGISTRY.registered


def language(name: str) -> Language:
    """The language of this name. Raises InputError where no tests can be written in it."""
    known = _REGISTRY.named(name)
    if known is None:
        raise InputError(f"no tests can be written in language `{name}`")
    return known


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
