"""Models whose definition, or whose check, goes wrong as the ticket reports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from generator.issue_only.django.attempt import (
    TELLS_OF_ERROR,
    Attempt,
    assertion_fails,
    reported_error,
)
from generator.issue_only.django.isolated import APPLICATION, REGISTRY, isolated
from generator.issue_only.django.material import Material
from generator.issue_only.django.models import is_abstract
from generator.issue_only.django.steps import settings_of, written

_CHECK = re.compile(r"\b(\w+\.[EWI]\d{3})\b")
_UNWANTED = re.compile(
    r"should(?:n't| not)\b|\bis raised\b|\bskip|\bfalse|\bincorrect|\bwrong|\bunnecessar",
    re.IGNORECASE,
)
_USERS = frozenset({"AbstractUser", "AbstractBaseUser"})


def broken_definitions(material: Material, _tree: Path) -> Iterator[Attempt]:
    """Defining the models, or checking them, raises the exception that is reported.

    Where the ticket goes on to use them, they can be defined.
    """
    if material.runnable(material.steps) or not TELLS_OF_ERROR.search(material.ticket.text):
        return
    first = _first_version(material)
    concrete = [name for name in first if not is_abstract(material.classes[name])]
    lines = [f"{name}.check()" for name in concrete]
    module = isolated(material, lines, without=material.models - set(first)) if lines else None
    if module is not None:
        words = "defining or checking its models raises the exception that it reports"
        yield Attempt("definition", 0.9, module, reported_error(material.ticket.text), words)


def _first_version(material: Material) -> list[str]:
    """The models that are defined before one of them is defined anew: what follows is a change."""
    found: dict[str, str] = {}
    for statement in material.ticket.statements:
        name, source = statement.name, statement.source
        if name in material.models and found.setdefault(name, source) != source:
            break
    return list(found)


def unwanted_checks(material: Material, tree: Path) -> Iterator[Attempt]:
    """A check of the system speaks up where the ticket says that it should not."""
    found = _CHECK.search(material.ticket.text)
    if found is None or not _UNWANTED.search(material.ticket.title):
        return
    check = found[1]
    overrides = _overrides(material)
    checks = ["from django.core import checks"]
    decorators = [f"override_settings({overrides})"] if overrides else []
    if decorators:
        checks.append("from django.test import override_settings")
    if material.models:
        lines = _lines(check, REGISTRY)
        module = isolated(material, lines, imports=checks, decorators=decorators, all_models=True)
    elif overrides:
        module = written(material, tree, _lines(check), decorators=decorators, imports=checks)
    else:
        return
    if module is not None:
        yield Attempt("check", 0.9, module, assertion_fails, f"the check {check} speaks up")


def _lines(check: str, argument: str = "") -> list[str]:
    return [
        f"messages = checks.run_checks({argument})",
        f"self.assertNotIn({check!r}, [message.id for message in messages])",
    ]


def _overrides(material: Material) -> str:
    """The settings of the ticket as keyword arguments; its model of users is set as such."""
    given = {}
    for name in sorted(material.models):
        if {ast.unparse(base) for base in material.classes[name].bases} & _USERS:
            given["AUTH_USER_MODEL"] = repr(f"{APPLICATION}.{name}")
    users = [f"{name}={value}" for name, value in given.items()]
    return ", ".join([*filter(None, [settings_of(material)]), *users])
