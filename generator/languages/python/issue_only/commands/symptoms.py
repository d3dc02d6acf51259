"""Finds in what a program prints the symptom that is reported of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.languages.python.issue_only.commands.scenario import LINT_MESSAGE, Scenario
from generator.languages.python.issue_only.matching import similar
from generator.languages.python.notation import reported_errors
from generator.report_text import IssueReport, PartRole

_COUNT = re.compile(r"\b(\d+) (passed|failed|skipped|xfailed|xpassed|errors?)\b")
_SUMMARY = re.compile(r"^=*\s*(?:\d+ \w+(?:, )?)+ in [\d.]+.*$", re.MULTILINE)
_LETTERS = re.compile(r"^\S+\.py ([.FsxXE]+)\s*(?:\[\s*\d+%\])?\s*$", re.MULTILINE)
_BY_LETTER = {
    ".": "passed",
    "F": "failed",
    "s": "skipped",
    "x": "xfailed",
    "X": "xpassed",
    "E": "error",
}
_SYMBOL = re.compile(r"\(([a-z][a-z-]+)\)\s*$")
_UNWANTED = re.compile(
    r"\bfalse[ -]positive|\bshould(?:n't| not)\b|\bshould succeed\b|\bnot? (?:be )?(?:error|emit|"
    r"warn|rais|report)\w*|\bno (?:message|warning|error)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Crash:
    """The program dies of this exception."""

    exception: str


@dataclass(frozen=True)
class PrintedMessage:
    """The program prints these words, which it should not."""

    words: str


@dataclass(frozen=True)
class Outcomes:
    """The tests that the program runs should come out in these numbers."""

    expected: Mapping[str, int]
    actual: Mapping[str, int]


@dataclass(frozen=True)
class CommandSymptom:
    """What a command is reported to do wrong, and did."""

    rule: str
    scenario: Scenario
    demand: Crash | PrintedMessage | Outcomes
    confidence: float
    words: str


def command_symptoms(
    report: IssueReport, ran: Sequence[tuple[Scenario, str]]
) -> tuple[CommandSymptom, ...]:
    """The symptoms of scenarios, each with what it printed on the base commit."""
    found = [
        *(symptom for scenario, printed in ran for symptom in _crash(scenario, printed)),
        *_outcomes(ran),
        *(symptom for scenario, printed in ran for symptom in _message(report, scenario, printed)),
    ]
    return tuple(sorted(found, key=lambda symptom: -symptom.confidence))


def _crash(scenario: Scenario, printed: str) -> Iterator[CommandSymptom]:
    """The traceback that stands under the command ends as the one that was printed."""
    if scenario.program == "pytest" or "Traceback (most recent call" not in printed:
        return
    errors, real = reported_errors(scenario.output), reported_errors(printed)
    if not errors or not real or errors[-1].name != real[-1].name:
        return
    if similar(real[-1].message, errors[-1].message) or not errors[-1].message:
        words = f"dies of {real[-1].name}"
        yield CommandSymptom("command_crash", scenario, Crash(real[-1].exception), 0.75, words)


def _outcomes(ran: Sequence[tuple[Scenario, str]]) -> Iterator[CommandSymptom]:
    """Two runs of the same tests came out in different ways, and one of them fails here, too."""
    compared = [
        (s, counts(s.output), counts(printed)) for s, printed in ran if s.program == "pytest"
    ]
    for scenario, reported, real in compared:
        fails = real.get("failed", 0) + real.get("error", 0)
        others = [
            other for s, other, _ in compared if other and other != reported and s != scenario
        ]
        if reported and reported == real and fails and others:
            demand = Outcomes(others[0], real)
            words = f"tests come out as {_listed(real)} instead of {_listed(others[0])}"
            yield CommandSymptom("command_outcomes", scenario, demand, 0.7, words)
            return


def counts(output: str) -> dict[str, int]:
    """How many tests ended in each way, from the summary or the letters that pytest prints."""
    summaries = _SUMMARY.findall(output)
    if summaries:
        return {name.rstrip("s"): int(n) for n, name in _COUNT.findall(summaries[-1])}
    letters = "".join(_LETTERS.findall(output))
    return {_BY_LETTER[letter]: letters.count(letter) for letter in sorted(set(letters))}


def _message(report: IssueReport, scenario: Scenario, printed: str) -> Iterator[CommandSymptom]:
    """A message of a linter that stands under the command, and should not, was printed."""
    expected = "\n".join(p.text for p in report.parts if p.role is PartRole.EXPECTED)
    if not _UNWANTED.search(f"{report.title}\n{expected}"):
        return
    real = {(m["code"], "".join(m["text"].split())): m for m in LINT_MESSAGE.finditer(printed)}
    for message in LINT_MESSAGE.finditer(scenario.output):
        if (message["code"], "".join(message["text"].split())) in real:
            symbol = _SYMBOL.search(scenario.output[message.start() :].split("\n\n")[0])
            words = symbol[1] if symbol else message["code"]
            yield CommandSymptom(
                "command_message", scenario, PrintedMessage(words), 0.7, message[0]
            )
            return


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in numbers.items())
