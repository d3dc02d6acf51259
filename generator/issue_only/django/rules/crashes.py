"""Code that dies with the exception that the ticket reports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.issue_only.django.attempt import TELLS_OF_ERROR, Attempt, reported_error
from generator.issue_only.django.material import Material
from generator.issue_only.django.reading import Statement
from generator.issue_only.django.steps import line_of, written

MOST_ATTEMPTS = 4


def crashes(material: Material, tree: Path) -> Iterator[Attempt]:
    """All steps in one test, and else each one with the assignments before it, last first."""
    text = material.ticket.text
    steps = material.runnable(material.steps)
    if not steps or not TELLS_OF_ERROR.search(text):
        return
    made_up = material.makes_up(material.supplies(step.node for step in steps))
    shows = reported_error(text, made_up=made_up)
    asked = "crash" in material.ticket.title.lower()
    for chosen in _variants(steps)[:MOST_ATTEMPTS]:
        module = written(material, tree, [line_of(step, asked=asked) for step in chosen])
        if module is not None:
            words = "its code raises the exception that it reports"
            yield Attempt("crash", 0.8, module, shows, words)


def _variants(steps: Sequence[Statement]) -> list[tuple[Statement, ...]]:
    whole = tuple(steps)
    found = [whole]
    for index in reversed(range(len(steps))):
        chosen = (*(s for s in steps[:index] if not isinstance(s.node, ast.Expr)), steps[index])
        if chosen not in found:
            found.append(chosen)
    return found
