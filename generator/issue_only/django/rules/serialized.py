"""What a migration writes of a value: the path or the expression that the ticket finds wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.outcome import Failure
from generator.issue_only.django.attempt import Attempt, Shows, assertion_fails
from generator.issue_only.django.material import Material
from generator.issue_only.django.steps import written

_PATH = re.compile(r"\b\w+\.models\.([A-Z]\w*(?:\.\w+)*)")


def serialized(material: Material, tree: Path) -> Iterator[Attempt]:
    """The writer of migrations gives what should be in the place of what is reported."""
    if not re.search(r"migration", material.ticket.text, re.IGNORECASE):
        return
    for value, wrong, right in [*_nested(material), *_members(material)]:
        lines = [
            f"serialized, _ = MigrationWriter.serialize({value})",
            f"self.assertIn({right!r}, serialized)",
        ]
        imports = ["from django.db.migrations.writer import MigrationWriter"]
        module = written(material, tree, lines, imports=imports)
        if module is not None:
            words = f"a migration says {wrong} for {right}"
            yield Attempt("serialized", 0.9, module, _shows(wrong), words)


def _shows(wrong: str) -> Shows:
    def shows(failure: Failure) -> bool:
        plain = failure.message.replace('"', "'").replace("\\'", "'")
        return assertion_fails(failure) and wrong.replace('"', "'") in plain

    return shows


def _nested(material: Material) -> Iterator[tuple[str, str, str]]:
    """Paths that lack the class around what they lead to, and stand beside the whole ones."""
    paths = list(dict.fromkeys(_PATH.findall(material.ticket.text)))
    for right in paths:
        for wrong in paths:
            if right.endswith(f".{wrong}") and right.partition(".")[0] in material.classes:
                yield _built(material, right), wrong, right


def _built(material: Material, path: str) -> str:
    """The call by which the ticket makes an instance, else the path itself."""
    calls = (
        ast.unparse(part)
        for node in material.classes.values()
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and ast.unparse(part.func) == path
    )
    return next(calls, path)


def _members(material: Material) -> Iterator[tuple[str, str, str]]:
    """Members of an enumeration that are told by value and should be by name."""
    text = material.ticket.text
    for name in material.classes:
        by_value = re.search(rf"\b{name}\(['\"][^'\"]*['\"]\)", text)
        for by_name in re.finditer(rf"\b{name}\[['\"](\w+)['\"]\]", text):
            if by_value:
                yield f"{name}.{by_name[1]}", by_value[0], by_name[0]
