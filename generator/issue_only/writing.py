"""Writes a test for a symptom: the steps it needs, then what must hold."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.python_source import parsed
from generator.issue_only.demanding import any_differs, demanded, gathered
from generator.issue_only.imports import merged, split_imports
from generator.issue_only.slicing import loaded_names, needed_steps, stored_names
from generator.issue_only.symptoms import AnyDiffers, Replay, Symptom

_WORDS = 6
_STAR = re.compile(r"^\s*from\s+[\w.]+\s+import\s+\*")
_UNTELLING = frozenset(
    {"a", "an", "and", "are", "as", "be", "bug", "by", "does", "for", "from", "in", "is", "issue"}
    | {"it", "not", "of", "on", "or", "the", "to", "when", "with"}
)


@dataclass(frozen=True)
class TestCode:
    """A test function in pieces: imports that may stand above it, and the statements in it.

    `fixtures` are the names of its parameters. `quiet` has the statements run with no regard to
    warnings, which some test runners make errors of; `annotations` leaves annotations unevaluated.
    """

    __test__ = False

    name: str
    imports: tuple[str, ...]
    body: tuple[str, ...]
    fixtures: tuple[str, ...] = ()
    quiet: bool = False
    annotations: bool = False

    def source(self, *, in_class: bool) -> str:
        """The code of a test file: a function, or for `unittest` a method in a class."""
        imports = ["import unittest"] * in_class + ["import warnings"] * self.quiet
        imports += self.imports
        if self.annotations:
            imports.insert(0, "from __future__ import annotations\n")
        above = "\n".join(imports)
        parameters = ", ".join([*(["self"] if in_class else []), *self.fixtures])
        body = "\n".join(map(_indented, self._statements()))
        function = f"def {self.name}({parameters}):\n{body}\n"
        if in_class:
            function = f"class ReportedTest(unittest.TestCase):\n{_indented(function)}"
        return f"{above}\n\n\n{function}" if above else function

    def _statements(self) -> Sequence[str]:
        if not self.quiet:
            return self.body
        inner = "\n".join(map(_indented, ["warnings.simplefilter('ignore')", *self.body]))
        return [f"with warnings.catch_warnings():\n{inner}"]


def code_of_test(replay: Replay, symptom: Symptom, *, pytest: bool, quiet: bool) -> TestCode:
    """A test that fails as long as the symptom is there.

    `pytest` tells whether it may use pytest's helpers, `quiet` whether warnings are let pass.
    """
    if isinstance(symptom.demand, AnyDiffers):
        body = _body_of_many(replay, symptom.demand)
    else:
        source, unicode = replay.program.steps[symptom.step].source, replay.program.unicode
        last = demanded(source, symptom.demand, unicode, pytest=pytest)
        body = [*_sources(replay, _needed(replay, symptom.step)), *last]
    imports, others = split_imports([*_implied(replay, symptom.step, body), *body])
    name = function_name(replay.report.title)
    return TestCode(
        name,
        merged(imports),
        tuple(others),
        quiet=quiet,
        annotations=replay.program.annotations,
    )


def _needed(replay: Replay, index: int) -> tuple[int, ...]:
    return needed_steps(replay.program.steps, replay.outcomes, index)


def _sources(replay: Replay, indices: Sequence[int]) -> list[str]:
    sources = [replay.program.steps[index].source for index in indices]
    return [source for source in sources if not _STAR.match(source)]


def _body_of_many(replay: Replay, demand: AnyDiffers) -> list[str]:
    """The steps that any of the looks needs, with what is seen taken down where it comes up."""
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
    """`test_` and the first telling words of a title."""
    words = re.findall(r"[a-z][a-z0-9]*", re.sub(r"\[\w+\]", "", title.casefold()))
    told = [word for word in words if word not in _UNTELLING][:_WORDS]
    return "_".join(["test", *(told or ["reported", "issue"])])


def _indented(source: str) -> str:
    """One statement inside a function; indenting would change texts over several lines."""
    tree = parsed(source)
    if tree is not None and _holds_long_text(source):
        source = ast.unparse(tree)
    return textwrap.indent(source, "    ")


def _holds_long_text(source: str) -> bool:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return any(token.type == tokenize.STRING and token.start[0] != token.end[0] for token in tokens)


def _implied(replay: Replay, last: int, body: Sequence[str]) -> Iterator[str]:
    """The lines that define what the issue took for granted, as far as the test reads it."""
    read = {name for source in body for name in loaded_names(source)}
    lines = [line for outcome in replay.outcomes[: last + 1] for line in outcome.imports]
    for line in dict.fromkeys(lines):
        if stored_names(line) & read:
            yield from line.split("; ")
