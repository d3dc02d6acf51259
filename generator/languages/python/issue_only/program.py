"""What is run of an issue: its statements in their order, made fit for a namespace of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.languages.python.parsing import parsed
from generator.report_text import Claim, Example, IssueReport, PartRole, Statement

_ENVIRONMENT = re.compile(
    r"__version__|\bversion_info\b|show_versions|sys\.version|platform\.|init_printing|init_session"
    r"|\bpip\b|print_function|^from __future__|logging\.basicConfig"
)
_SHOW = re.compile(r"^(\w+)\.show\((?:block\s*=\s*\w+)?\)$")
_VAR = re.compile(r"^var\((['\"])(?P<names>[\w ,]+)\1\)$")
_UNICODE_ART = re.compile("[\u2190-\u21ff\u2200-\u22ff\u2300-\u23ff\u2500-\u257f]")
_VERSION = re.compile(
    r"\bv?\.?\d+\.\d+|\b(?:version|previous|before|used to|old|older|earlier|master|release)\b",
    re.I,
)
_EXPECTED_VALUE = re.compile(
    r"\bexpect(?:ing|ed)?:? +(b?(?:'[^'\n]*'|\"[^\"\n]*\")|[\[({].*[\])}]|-?\d+(?:\.\d+)?)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_NOTEBOOK = re.compile(r"IPython[/\\]core|_repr_\w+_|\bjupyter\b", re.IGNORECASE)


@dataclass(frozen=True)
class ProgramStep:
    """One statement to run. `source` is what is run of it, `texts` what its value is compared with.

    `example` is its place among the report's examples, -1 for a step that is made of a claim,
    which it has as `claim`. The first text is what the issue shows, the others what it expects.
    """

    statement: Statement
    source: str
    example: int
    texts: tuple[str, ...] = ()
    claim: Claim | None = None


@dataclass(frozen=True)
class Program:
    """Steps that share one namespace.

    `setup` is source that is run before, in silence. `unicode` has expressions drawn with all
    characters, `displays` has values asked for what notebooks show, `annotations` has annotations
    left unevaluated, since they are written for a Python that the target may not run on.
    """

    steps: tuple[ProgramStep, ...]
    setup: str = ""
    unicode: bool = False
    displays: bool = False
    annotations: bool = False


def program_of(report: IssueReport) -> Program:
    """All that the examples of a report run, but for what only shows the environment."""
    steps = [
        ProgramStep(
            statement, source, number, (statement.shown, *expected_of(report, number, statement))
        )
        for number, example in enumerate(report.examples)
        for statement in (*example.statements, *_calls(example))
        if (source := _runnable(statement.source))
    ]
    claimed = [_claimed(claim) for claim in report.claims if claim.expression]
    return Program(
        (*steps, *claimed),
        unicode=bool(_UNICODE_ART.search(report.text)),
        displays=bool(_NOTEBOOK.search(report.text)),
        annotations=any(_has_new_annotations(step.source) for step in steps),
    )


def expected_of(report: IssueReport, number: int, statement: Statement) -> tuple[str, ...]:
    """What the report says that a statement of an example should give, the surest first.

    Said in the comments under it, of the expression itself, of the answer under its example, in a
    block for what is expected, or shown elsewhere as what another version gave.
    """
    remarked = _EXPECTED_VALUE.findall(f"{statement.remark}\n{statement.below}")
    same = [c.expected for c in report.claims if _alike(c.expression, statement.source)]
    example = report.examples[number]
    next_line = min((e.line for e in report.examples[number + 1 :]), default=len(report.text))
    under = [
        c.expected for c in report.claims if not c.expression and example.line < c.line < next_line
    ]
    blocks = [block.text for block in example.outputs if block.role is PartRole.EXPECTED]
    elsewhere = [
        other.shown
        for others in report.examples
        if others is not example and (_is_of_version(others) or _is_of_version(example))
        for other in others.statements
        if other.shown and other.shown != statement.shown and _alike(other.source, statement.source)
    ]
    found = [text for text in (*remarked, *same, *under, *blocks, *elsewhere) if text]
    return tuple(dict.fromkeys(found))


def _is_of_version(example: Example) -> bool:
    return _VERSION.search(f"{example.section}\n{example.before[-200:]}") is not None


def _alike(first: str, second: str) -> bool:
    return bool(first) and "".join(first.split()) == "".join(second.split())


def _has_new_annotations(source: str) -> bool:
    """Whether a parameter, a result or a variable is annotated as `X | Y` (Python 3.10)."""
    tree = parsed(source)
    found = [
        getattr(n, "annotation", getattr(n, "returns", None))
        for n in ast.walk(tree or ast.Module([], []))
    ]
    parts = [part for annotation in found if annotation for part in ast.walk(annotation)]
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr) for part in parts)


def _claimed(claim: Claim) -> ProgramStep:
    statement = Statement(claim.expression, claim.line, shown=claim.actual)
    return ProgramStep(statement, claim.expression, -1, (claim.actual, claim.expected), claim)


def _runnable(source: str) -> str:
    """The source as it can be run unattended, "" where it is not worth it."""
    code = source.strip().rstrip(";")
    if _ENVIRONMENT.search(code) or code == "...":
        return ""
    if shown := _SHOW.match(code):
        module = shown[1]
        return (
            f"{module}.gcf().canvas.draw()"
            if module in ("plt", "pyplot")
            else f"{module}.canvas.draw()"
        )
    if declared := _VAR.match(code):
        names = re.split(r"[ ,]+", declared["names"].strip())
        targets = ", ".join(names) + ("," if len(names) == 1 else "")
        return f"{targets} = symbols({', '.join(names)!r}, seq=True)"
    return source


def _calls(example: Example) -> Sequence[Statement]:
    """Calls of the test functions that an example defines and never calls."""
    sources = "\n".join(statement.source for statement in example.statements)
    calls = []
    for statement in example.statements:
        tree = parsed(statement.source)
        node = tree.body[0] if tree and len(tree.body) == 1 else None
        if not isinstance(node, ast.FunctionDef) or not _is_bare_test(node):
            continue
        if len(re.findall(rf"\b{node.name}\b", sources)) == 1:
            calls.append(Statement(f"{node.name}()", statement.line))
    return calls


def _is_bare_test(node: ast.FunctionDef) -> bool:
    return node.name.startswith("test") and not node.args.args and not node.decorator_list
