"""Which of the steps before a statement it needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from evaluator.languages.python.parsing import parsed
from generator.languages.python.issue_only.program import ProgramStep
from generator.languages.python.issue_only.replaying import StepResult

_DISPLAY = re.compile(r"^(?:print|pprint|pretty_print|display|help|init_printing)\s*\(")


def needed_steps(
    steps: Sequence[ProgramStep], outcomes: Sequence[StepResult], index: int
) -> tuple[int, ...]:
    """The steps that step `index` needs, in order, itself left out.

    What only shows something, and what raised, is dropped; so is a definition that nothing after
    it reads. Calls whose value is not kept stay: they may change what is read later.
    """
    needed = loaded_names(steps[index].source)
    kept: list[int] = []
    for number in range(index - 1, -1, -1):
        source = steps[number].source
        if outcomes[number].raised is not None or _only_shows(steps[number]):
            continue
        if defines_only(source) and not needed & stored_names(source):
            continue
        needed |= loaded_names(source)
        kept.insert(0, number)
    return tuple(kept)


def loaded_names(source: str) -> set[str]:
    """All names that a piece of source reads."""
    return {node.id for node in _names(source) if isinstance(node.ctx, ast.Load)}


def stored_names(source: str) -> set[str]:
    """All names that a piece of source binds at its top."""
    tree = parsed(source)
    found = {node.id for node in _names(source) if not isinstance(node.ctx, ast.Load)}
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return found


def _names(source: str) -> list[ast.Name]:
    tree = parsed(source)
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name)] if tree else []


def _only_shows(step: ProgramStep) -> bool:
    tree = parsed(step.source)
    if tree is None or not all(isinstance(node, ast.Expr) for node in tree.body):
        return False
    return bool(step.statement.shown or not _calls(tree) or _DISPLAY.match(step.source))


def defines_only(source: str) -> bool:
    """Whether a step does nothing but bind names: imports, definitions, assignments of values."""
    tree = parsed(source)
    return tree is not None and all(
        isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
        or (isinstance(node, ast.Assign) and not _calls(node) and all(map(_is_plain, node.targets)))
        for node in tree.body
    )


def _calls(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _is_plain(target: ast.expr) -> bool:
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return all(isinstance(part, ast.Name) for part in parts)
