"""Values that come out as the ticket shows them and finds wrong."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.outcome import Failure
from generator.issue_only.django.attempt import TELLS_OF_ERROR, Attempt, Shows, assertion_fails
from generator.issue_only.django.material import Material
from generator.issue_only.django.names import bound_names, free_names
from generator.issue_only.django.reading import Statement
from generator.issue_only.django.shown import Shown, shown_under
from generator.issue_only.django.steps import label_of, printed_value, written
from generator.issue_only.matching import normal

MOST_LOOKS = 3

_SHOULD = re.compile(r"^(?P<wrong>.{4,}?) should (?:be|have been) (?P<right>.{4,}?)\.?$")


@dataclass(frozen=True)
class _Look:
    """A step, what the ticket shows of its value, and the steps that lead to it."""

    steps: Sequence[Statement]
    shown: Shown

    @property
    def value(self) -> str:
        """The expression that is looked at."""
        node = self.steps[-1].node
        assert isinstance(node, ast.Expr)
        printed = printed_value(node)
        return ast.unparse(printed or node.value)


def wrong_values(material: Material, tree: Path) -> Iterator[Attempt]:
    """The last value that is said to be wrong, then the last ones that are not said to be right.

    Where an exception is reported, what comes out before it may well be right.
    """
    steps = material.runnable(material.steps)
    looks = [
        _Look(_leading(steps, index), shown)
        for index, step in enumerate(steps)
        if isinstance(step.node, ast.Expr)
        for shown in shown_under(step)
    ]
    doubtful = _corrected([look for look in looks if not look.shown.right])[::-1]
    if TELLS_OF_ERROR.search(material.ticket.text):
        doubtful = [look for look in doubtful if look.shown.wrong or look.shown.expected]
    blamed = sorted(doubtful, key=lambda look: not look.shown.wrong)
    for look in blamed[:MOST_LOOKS]:
        if material.supplies(step.node for step in look.steps).of_django:
            yield from _attempts(material, tree, look)


def _corrected(looks: Sequence[_Look]) -> list[_Look]:
    """The looks, with the value that a later one of the same kind shows as the one expected."""
    found: dict[str, _Look] = {}
    for look in looks:
        first = found.setdefault(look.value, look)
        if first is not look and look.shown.actual and not first.shown.expected:
            shown = dataclasses.replace(first.shown, expected=look.shown.actual)
            found[look.value] = _Look(first.steps, shown)
    return list(found.values())


def _leading(steps: Sequence[Statement], index: int) -> list[Statement]:
    """A step with the ones before it that make, or change, what it uses."""
    chosen = [steps[index]]
    used = free_names(steps[index].node)
    for step in reversed(steps[:index]):
        makes = bound_names(step.node) & used
        changes = _changed(step.node) & used
        if makes or changes:
            chosen.insert(0, step)
            used |= free_names(step.node)
    return chosen


def _changed(node: ast.stmt) -> set[str]:
    """The names of what a statement may change without binding it."""
    changed: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        changed += [t for t in node.targets if isinstance(t, ast.Attribute | ast.Subscript)]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not printed_value(node):
        given = [part for a in node.value.args for part in [a, *getattr(a, "elts", [])]]
        changed += [node.value.func, *(part for part in given if isinstance(part, ast.Name))]
    parts = (part for expression in changed for part in ast.walk(expression))
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _attempts(material: Material, tree: Path, look: _Look) -> Iterator[Attempt]:
    before = [step.source for step in look.steps[:-1]]
    for rule, confidence, line, shows in _demands(material, tree, look):
        module = written(material, tree, [*before, line])
        if module is not None:
            words = f"`{look.value}` gives {look.shown.actual or look.shown.part}"[:300]
            yield Attempt(rule, confidence, module, shows, words)


def _demands(
    material: Material, tree: Path, look: _Look
) -> Iterator[tuple[str, float, str, Shows]]:
    """Rule, confidence, assertion and symptom: the value that should be goes before any other."""
    value, shown = look.value, look.shown
    part = _SHOULD.match(shown.part)
    if part:
        line = f"self.assertIn({part['right']!r}, str({value}))"
        yield "value_part", 0.8, line, _holding(part["wrong"])
    if not shown.actual:
        return
    actual = _as_here(material, tree, look, shown.actual)
    text, literal = _compared(look, actual)
    if shown.expected and literal is not None and _literal(shown.expected) is not None:
        line = f"self.assertEqual({text}, {shown.expected.strip()})"
        yield "value_expected", 0.8, line, _holding(actual)
    yield (
        "value_wrong",
        0.75,
        f"self.assertNotEqual({text}, {literal or repr(actual)})",
        assertion_fails,
    )


def _compared(look: _Look, actual: str) -> tuple[str, str | None]:
    """The expression that is compared, and the literal that it is compared to, None for text."""
    node = look.steps[-1].node
    printed = printed_value(node)
    literal = _literal(actual)
    if printed is not None and not ast.unparse(node).startswith("pprint"):
        if literal is not None and literal.startswith("("):
            return look.value, literal
        return (look.value if look.value.startswith("str(") else f"str({look.value})"), None
    if literal is not None:
        return look.value, literal
    return f"{'repr' if look.steps[-1].typed else 'str'}({look.value})", None


def _literal(text: str) -> str | None:
    """A literal as Python spells it, None for text that is none."""
    try:
        return repr(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError):
        return None


def _holding(wrong: str) -> Shows:
    """The assertion fails, and what is reported stands in what came out."""

    def shows(failure: Failure) -> bool:
        plain = re.sub(r"\\(?=['\"])", "", failure.message)
        inner = wrong.strip().strip("'\"")
        return assertion_fails(failure) and normal(inner) in normal(plain)

    return shows


def _as_here(material: Material, tree: Path, look: _Look, text: str) -> str:
    """The text with the tables named as they are where the test goes."""
    given = material.supplies(step.node for step in look.steps)
    label = label_of(tree, given)
    for model in given.models:
        text = re.sub(rf'"\w+_{model.lower()}\b', f'"{label}_{model.lower()}', text)
    return text
