"""What a ticket gives to write tests with: definitions, imports, settings and steps to run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.python_source import parsed
from generator.issue_only.django.models import (
    is_model,
    looked_up,
    made_up,
    put_right,
    queried,
    relations,
    targets,
)
from generator.issue_only.django.names import Names, bound_names, free_names
from generator.issue_only.django.reading import Statement, Ticket
from generator.issue_only.django.sorting import (
    first_of_each,
    is_method,
    is_step,
    only_asserts,
    told_settings,
    working_imports,
)

_QUERYSETS = frozenset({"qs", "queryset", "query"})
_MANAGERS = frozenset({"objects", "filter", "annotate", "exclude", "alias", "values", "order_by"})


@dataclass(frozen=True)
class Supplies:
    """What some code needs around it: import lines, and definitions in an order that works.

    `models` are the names of the models among them; `missing` are the names that nothing gives.
    """

    imports: tuple[str, ...]
    definitions: tuple[ast.stmt, ...]
    models: tuple[str, ...]
    missing: frozenset[str]

    @property
    def of_django(self) -> bool:
        """Whether there is anything of Django among it."""
        return bool(self.models) or any(
            re.match(r"(?:from|import) django|.*\.models import ", line) for line in self.imports
        )


class Material:
    """The statements of a ticket, sorted by what they are for."""

    def __init__(self, ticket: Ticket, names: Names) -> None:
        self.ticket = ticket
        self._names = names
        nodes = [statement.node for statement in ticket.statements]
        self.classes = first_of_each(n for n in nodes if isinstance(n, ast.ClassDef))
        self.functions = first_of_each(
            n for n in nodes if isinstance(n, ast.FunctionDef) and not is_method(n)
        )
        self.methods = tuple(n for n in nodes if isinstance(n, ast.FunctionDef) and is_method(n))
        self._imports, unknown = working_imports(nodes, names)
        for name in queried(ticket.text) - self.classes.keys():
            if line := names.tested_model(name, ticket.text):
                self._imports[name] = line
        self.models = {n for n, c in self.classes.items() if is_model(c, self.classes)}
        self.settings = told_settings(ticket.statements)
        self._made_up = self._inventions(nodes, unknown)
        self.steps = tuple(s for s in ticket.statements if is_step(s, self.settings))

    def _inventions(
        self, nodes: Sequence[ast.stmt], unknown: set[str]
    ) -> Mapping[str, ast.ClassDef]:
        """Models that are used and shown nowhere."""
        related = {
            target.id
            for name in self.models
            for target in targets(self.classes[name])
            if isinstance(target, ast.Name)
        }
        wanted = queried(self.ticket.text) | related | unknown
        return {
            name: made_up(name, nodes, self.ticket.text)
            for name in sorted(wanted)
            if name not in self.classes and not self.import_of(name) and name.isidentifier()
        }

    def import_of(self, name: str) -> str:
        """The import that gives a name: the ticket's own, or one of Django's; "" for none."""
        return self._imports.get(name) or self._names.origin(name)

    def makes_up(self, supplies: Supplies) -> bool:
        """Whether there are models among supplies that the ticket shows nowhere."""
        return bool(self._made_up.keys() & set(supplies.models))

    def rows_for(self, code: str) -> list[str]:
        """Lines that make a row of each made-up model that code takes one of without making it."""
        return [
            f"{name}.objects.create()"
            for name in self._made_up
            if re.search(rf"\b{name}\.objects\b[^\n]*\.(?:first|last|get|earliest|latest)\(", code)
            and not re.search(rf"\b{name}(?:\.objects\.(?:bulk_)?create)?\(", code)
        ]

    def knows(self, name: str) -> bool:
        """Whether a name can be given to code that uses it."""
        return self._given(name) and not self.supplies([ast.Name(name, ast.Load())]).missing

    def supplies(self, code: Iterable[ast.AST]) -> Supplies:
        """All that code needs: whoever needs one model gets all, for what they say of each other.

        Models are put right on the way; what is missing in one of their fields is left out.
        """
        chosen: dict[str, ast.stmt] = {}
        imports: dict[str, str] = {}
        missing: set[str] = set()
        todo = [name for part in code for name in free_names(part)]
        while todo:
            name = todo.pop()
            if name in chosen or name in imports or name in missing or name == "self":
                continue
            definition = self._definition(name)
            if definition is not None:
                chosen[name] = definition
                todo += free_names(definition)
                todo += [*self._kin()] if name in self.models | self._made_up.keys() else []
            elif line := self.import_of(name):
                imports[name] = line
            else:
                missing.add(name)
        models = tuple(sorted(chosen.keys() & (self.models | self._made_up.keys())))
        return Supplies(tuple(imports.values()), self._ordered(chosen), models, frozenset(missing))

    def _kin(self) -> Iterator[str]:
        yield from self._made_up
        for name in self.models:
            definition = self._definition(name)
            if definition is not None and all(map(self._given, free_names(definition))):
                yield name

    def _given(self, name: str) -> bool:
        return bool(
            name in self.classes
            or name in self.functions
            or name in self._made_up
            or name in self.settings
            or self.import_of(name)
        )

    def _definition(self, name: str) -> ast.stmt | None:
        if name in self._made_up:
            return self._made_up[name]
        if name in self.models:
            node = self.classes[name]
            lacking = {n for n in free_names(node) if not self._given(n)}
            return put_right(node, [*self.models, *self._made_up], lacking)
        if name in self.settings:
            return ast.parse(f"{name} = {self.settings[name]}").body[0]
        return self.classes.get(name) or self.functions.get(name)

    def _ordered(self, chosen: Mapping[str, ast.stmt]) -> tuple[ast.stmt, ...]:
        """Made-up models first, then the rest as the ticket has it."""
        order = [*self._made_up, *(s.name for s in self.ticket.statements)]
        return tuple(chosen[name] for name in dict.fromkeys(order) if name in chosen)

    def runnable(self, steps: Sequence[Statement]) -> tuple[Statement, ...]:
        """The steps whose names are all given, by the ticket or by earlier steps."""
        kept: list[Statement] = []
        bound: set[str] = set()
        for step in steps:
            step = self._filled(step, bound)
            names = free_names(step.node) - bound
            if all(self.knows(name) or (name == "self" and only_asserts(step)) for name in names):
                kept.append(step)
                bound |= bound_names(step.node)
            else:
                bound -= bound_names(step.node)
        return tuple(kept)

    def _filled(self, step: Statement, bound: set[str]) -> Statement:
        """The step with a queryset, or an object, in the place of what nothing tells more about."""
        source = self._related(step, bound)
        if source:
            return _rewritten(step, source)
        for name in sorted(free_names(step.node) - bound):
            used = re.search(rf"\b{name}\.(?:{'|'.join(_MANAGERS)})\(", step.source)
            if used and name in _QUERYSETS and not self.knows(name):
                source = re.sub(rf"\b{name}\.", f"{self.any_model()}.objects.", step.source)
                return _rewritten(step, source)
        return step

    def _related(self, step: Statement, bound: set[str]) -> str:
        """The step with made objects in the place of unknown ones that a relation is looked up by.

        "" where there are none.
        """
        tree = parsed(step.source)
        found = False
        for model, keyword in looked_up(tree) if tree else ():
            target = (
                relations(self.classes[model]).get(keyword.arg or "")
                if model in self.models
                else ""
            )
            unknown = any(not self.knows(n) for n in free_names(keyword.value) - bound)
            if target and unknown:
                keyword.value = ast.parse(f"{target}.objects.create()", mode="eval").body
                found = True
        return ast.unparse(tree) if tree and found else ""

    def any_model(self) -> str:
        """A model that there is."""
        concrete = [*self._made_up, *sorted(self.models)]
        return concrete[0] if concrete else "User"


def _rewritten(step: Statement, source: str) -> Statement:
    tree = parsed(source)
    assert tree is not None
    return Statement(tree.body[0], source, step.comment, step.after, step.typed)
