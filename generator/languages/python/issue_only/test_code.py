"""Writes a test for a symptom: the steps it needs, then what must hold."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.languages.python.parsing import parsed
from generator.languages.python.issue_only.assertions import as_method
from generator.languages.python.issue_only.demanding import any_differs, demanded, gathered
from generator.languages.python.issue_only.frameworks import TestStyle
from generator.languages.python.issue_only.program import ProgramStep
from generator.languages.python.issue_only.replaying import StepResult
from generator.languages.python.issue_only.symptoms import AnyDiffers, ReplayedReport, Symptom

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


_WORDS = 6
_STAR = re.compile(r"^\s*from\s+[\w.]+\s+import\s+\*")
_FILLING = frozenset(
    {"a", "an", "and", "are", "as", "be", "bug", "by", "does", "for", "from", "in", "is", "issue"}
    | {"it", "not", "of", "on", "or", "the", "to", "when", "with"}
)


@dataclass(frozen=True)
class DraftTest:
    """A test function in pieces: imports that may stand above it, and the statements in it.

    `definitions` stand between the two. `fixtures` are the names of its parameters. `quiet` has
    the statements run with no regard to warnings, which some test runners make errors of.
    """

    __test__ = False

    name: str
    imports: tuple[str, ...]
    body: tuple[str, ...]
    fixtures: tuple[str, ...] = ()
    quiet: bool = False
    definitions: tuple[str, ...] = ()

    def source(self, case: str) -> str:
        """The code of a test file: a function, or a method in a class derived from `case`."""
        module = case.rpartition(".")[0]
        imports = [f"import {module}"] * bool(case) + ["import warnings"] * self.quiet
        imports += self.imports
        parameters = ", ".join([*(["self"] if case else []), *self.fixtures])
        body = "\n".join(map(_indented, self._statements(case)))
        function = f"def {self.name}({parameters}):\n{body}\n"
        if case:
            function = f"class ReportedTest({case}):\n{_indented(function)}"
        return "\n\n\n".join(filter(None, ["\n".join(imports), *self.definitions, function]))

    def _statements(self, case: str) -> Sequence[str]:
        body = [as_method(statement) for statement in self.body] if case else self.body
        if not self.quiet:
            return body
        inner = "\n".join(map(_indented, ["warnings.simplefilter('ignore')", *body]))
        return [f"with warnings.catch_warnings():\n{inner}"]


def code_of_test(
    replay: ReplayedReport, symptom: Symptom, style: TestStyle, *, quiet: bool
) -> DraftTest:
    """A test that fails as long as the symptom is there; `quiet` lets warnings pass."""
    if isinstance(symptom.demand, AnyDiffers):
        steps, last = _body_of_many(replay, symptom.demand), list[str]()
    else:
        source, unicode = replay.program.steps[symptom.step].source, replay.program.unicode
        steps = _sources(replay, _needed(replay, symptom.step))
        last = demanded(source, symptom.demand, unicode, style)
    definitions, steps = _set_apart(steps) if style.applications else (list[str](), steps)
    implied = _implied(replay, symptom.step, [*definitions, *steps, *last])
    outer, definitions = split_imports(definitions)
    imports, others = split_imports([*outer, *implied, *steps, *last])
    name = function_name(replay.report.title)
    return DraftTest(
        name,
        merged(imports),
        tuple(others),
        quiet=quiet,
        definitions=tuple(definitions),
    )


def _set_apart(sources: Sequence[str]) -> tuple[list[str], list[str]]:
    """What only defines, up to the last class that is defined, and all the others."""
    classes = [index for index, source in enumerate(sources) if _is_class(source)]
    end = classes[-1] + 1 if classes else 0
    definitions = [source for source in sources[:end] if defines_only(source)]
    return definitions, [source for source in sources if source not in definitions]


def _is_class(source: str) -> bool:
    tree = parsed(source)
    return tree is not None and any(isinstance(node, ast.ClassDef) for node in tree.body)


def _needed(replay: ReplayedReport, index: int) -> tuple[int, ...]:
    return needed_steps(replay.program.steps, replay.outcomes, index)


def _sources(replay: ReplayedReport, indices: Sequence[int]) -> list[str]:
    sources = [replay.program.steps[index].source for index in indices]
    return [source for source in sources if not _STAR.match(source)]


def _body_of_many(replay: ReplayedReport, demand: AnyDiffers) -> list[str]:
    """The steps that any of the looks needs, with what is seen recorded where it comes up."""
    looks = dict(demand.looks)
    indices = {needed for index in looks for needed in _needed(replay, index)} | looks.keys()
    body = ["shown = []"]
    for index in sorted(indices):
        if index in looks:
            source = replay.program.steps[index].source
            body += gathered(source, looks[index], replay.program.unicode)
        else:
            body += _sources(replay, (index,))
    return [*body, any_differs([look for _, look in demand.looks])]


def function_name(title: str) -> str:
    """`test_` and the first words of a title that say something."""
    words = re.findall(r"[a-z][a-z0-9]*", re.sub(r"\[\w+\]", "", title.casefold()))
    chosen = [word for word in words if word not in _FILLING][:_WORDS]
    return "_".join(["test", *(chosen or ["reported", "issue"])])


def _indented(source: str) -> str:
    """One statement inside a function; indenting would change texts over several lines."""
    tree = parsed(source)
    if tree is not None and _holds_long_text(source):
        source = ast.unparse(tree)
    return textwrap.indent(source, "    ")


def _holds_long_text(source: str) -> bool:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return any(token.type == tokenize.STRING and token.start[0] != token.end[0] for token in tokens)


def _implied(replay: ReplayedReport, last: int, body: Sequence[str]) -> Iterator[str]:
    """The lines that define what the issue took for granted, as far as the test reads it."""
    read = {name for source in body for name in loaded_names(source)}
    lines = [line for outcome in replay.outcomes[: last + 1] for line in outcome.imports]
    for line in dict.fromkeys(lines):
        if stored_names(line) & read:
            yield from line.split("; ")


_WIDTH = 79


def split_imports(sources: Iterable[str]) -> tuple[list[str], list[str]]:
    """The sources that only import (the future aside, which is none of theirs), and the others."""
    imports: list[str] = []
    others: list[str] = []
    for source in sources:
        nodes = _nodes(source)
        if not nodes or not all(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
            others.append(source)
        elif not any(_is_future(node) for node in nodes):
            imports.append(source)
    return imports, others


def merged(sources: Sequence[str]) -> tuple[str, ...]:
    """Import statements with what comes from one module in one of them; no name twice."""
    nodes = [node for source in sources for node in _nodes(source)]
    whole = [ast.unparse(node) for node in nodes if isinstance(node, ast.Import)]
    names: dict[str, dict[str, None]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names.setdefault(module, {}).update((ast.unparse(alias), None) for alias in node.names)
    return (*dict.fromkeys(whole), *(_line(module, list(found)) for module, found in names.items()))


def _nodes(source: str) -> Sequence[ast.stmt]:
    tree = parsed(source)
    return tree.body if tree else []


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _line(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= _WIDTH else f"from {module} import (\n{_wrapped(names)}\n)"


def _wrapped(names: Sequence[str]) -> str:
    return "\n".join(_rows(names))


def _rows(names: Sequence[str]) -> Iterator[str]:
    row = "   "
    for name in names:
        if len(row) + len(name) + 2 > _WIDTH:
            yield row
            row = "   "
        row += f" {name},"
    yield row
