"""What is run of an issue: its statements in their order, made fit for a namespace of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.report_text import Claim, Example, IssueReport, PartRole, Statement

_ENVIRONMENT = re.compile(
    r"__version__|\bversion_info\b|show_versions|sys\.version|platform\.|init_printing|init_session"
    r"|\bpip\b|print_function|^from __future__|logging\.basicConfig"
)
_SHOW = re.compile(r"^(\w+)\.show\((?:block\s*=\s*\w+)?\)$")
_UNICODE_ART = re.compile("[\u2190-\u21ff\u2200-\u22ff\u2300-\u23ff\u2500-\u257f]")
_VERSION = re.compile(
    r"\bv?\.?\d+\.\d+|\b(?:version|previous|before|used to|old|older|earlier|master|release)\b",
    re.I,
)
_OUTPUTS = 2
"""Blocks under an example that are about it: what comes out, and what should."""
_NOTEBOOK = re.compile(r"IPython[/\\]core|_repr_\w+_|\bjupyter\b", re.IGNORECASE)


@dataclass(frozen=True)
class ProgramStep:
    """One statement to run. `source` is what is run of it, `texts` what its value is compared with.

    `example` is its place among the report's examples, -1 for a step that is made of a claim,
    which it has as `claim`. The first text is what the issue shows, the others what it expects;
    `readings` name the rules that found these others, in their order.
    """

    statement: Statement
    source: str
    example: int
    texts: tuple[str, ...] = ()
    claim: Claim | None = None
    readings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """Steps that share one namespace.

    `setup` is source that is run before, in silence. `unicode` has expressions drawn with all
    characters, `displays` has values asked for what notebooks show.
    """

    steps: tuple[ProgramStep, ...]
    setup: str = ""
    unicode: bool = False
    displays: bool = False


def program_of(report: IssueReport) -> Program:
    """All that the examples of a report run, but for what only shows the environment."""
    steps = [
        _of_example(report, number, statement, source)
        for number, example in enumerate(report.examples)
        for statement in example.statements
        if (source := _runnable(statement.source))
    ]
    claimed = [_claimed(claim) for claim in report.claims if claim.expression]
    return Program(
        (*steps, *claimed),
        unicode=bool(_UNICODE_ART.search(report.text)),
        displays=bool(_NOTEBOOK.search(report.text)),
    )


def _of_example(report: IssueReport, number: int, statement: Statement, source: str) -> ProgramStep:
    expected = expected_of(report, number, statement)
    texts = (statement.shown, *expected)
    return ProgramStep(statement, source, number, texts, readings=tuple(expected.values()))


def expected_of(report: IssueReport, number: int, statement: Statement) -> Mapping[str, str]:
    """What the report says that a statement of an example should give, the surest first.

    Said of the answer under its example, in a block for what is expected, or shown elsewhere as
    what another version gave. Texts with the names of the rules that found them.
    """
    example = report.examples[number]
    next_line = min((e.line for e in report.examples[number + 1 :]), default=len(report.text))
    under = [
        c.expected for c in report.claims if not c.expression and example.line < c.line < next_line
    ]
    outputs = example.outputs[:_OUTPUTS]
    blocks = [block.text for block in outputs if block.role is PartRole.EXPECTED]
    elsewhere = [
        other.shown
        for others in report.examples
        if others is not example and (_is_of_version(others) or _is_of_version(example))
        for other in others.statements
        if other.shown and other.shown != statement.shown and _alike(other.source, statement.source)
    ]
    readings = {
        "expected_in_answer": under,
        "expected_in_block": blocks,
        "expected_of_version": elsewhere,
    }
    found: dict[str, str] = {}
    for reading, texts in readings.items():
        for text in filter(None, texts):
            found.setdefault(text, reading)
    return found


def _is_of_version(example: Example) -> bool:
    return _VERSION.search(f"{example.section}\n{example.before[-200:]}") is not None


def _alike(first: str, second: str) -> bool:
    return bool(first) and "".join(first.split()) == "".join(second.split())


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
    return source
