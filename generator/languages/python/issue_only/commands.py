"""Candidates for programs whose issues show commands: pytest and pylint."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator import ResourceLimits
from evaluator.diff import Changes
from evaluator.languages.python.environment.types import python_environment
from generator.languages.python.issue_only.demanding import literal
from generator.languages.python.issue_only.matching import similar
from generator.languages.python.issue_only.replaying import packages
from generator.languages.python.issue_only.test_code import DraftTest, function_name
from generator.languages.python.notation import reported_errors
from generator.report_text import IssueReport, PartForm, PartRole, ReportedFile
from generator.task import TestRunner

PROGRAMS: Mapping[str, str] = {"pytest": "pytest", "py.test": "pytest", "pylint": "pylint"}
"""Programs that can be called from a test of their own, and the module that they are."""

LINT_MESSAGE = re.compile(
    r"^(?P<path>\S+?):\d+(?::\d+)?: (?P<code>[CRWEF]\d{4}): (?P<text>.*?)$", re.MULTILINE
)
_BRANCH = re.compile(r"^(?P<indent>[\s|│]*)(?:[|`├└+][-─]+|'-+)\s*(?P<name>[\w./-]+)\s*$")


@dataclass(frozen=True)
class Scenario:
    """A program with its arguments, and the files in the directory that it is run in.

    `output` is what the issue says it printed, "" if nothing.
    """

    program: str
    arguments: tuple[str, ...]
    files: tuple[ReportedFile, ...]
    output: str
    line: int


def scenarios(report: IssueReport, packages: Sequence[str]) -> tuple[Scenario, ...]:
    """The commands of a report that run a program of the repository, in their order."""
    return tuple(_scenarios(report, packages))


def _scenarios(report: IssueReport, packages: Sequence[str]) -> Iterator[Scenario]:
    for command in report.commands:
        program = PROGRAMS.get(PurePosixPath(command.argv[0]).name, "")
        if not program or not {program, f"_{program}"}.intersection(packages):
            continue
        arguments = command.argv[1:]
        files = _files(report, arguments)
        if files is not None and not any(set("|><&;*") & set(a) for a in arguments):
            yield Scenario(program, arguments, files, command.output, command.line)
    if "pylint" in packages and not any(c.argv[0] == "pylint" for c in report.commands):
        yield from _implied(report)


def _implied(report: IssueReport) -> Iterator[Scenario]:
    """`pylint` on the one snippet of a report that shows a linter's messages and no command."""
    snippet = _only_snippet(report)
    for part in report.parts:
        found = LINT_MESSAGE.search(part.text) if part.kind is PartForm.BLOCK else None
        if found is not None and snippet is not None:
            name = PurePosixPath(found["path"]).name
            yield Scenario(
                "pylint", (name,), (ReportedFile(name, snippet, 0),), part.text, part.line
            )
            return


def _files(report: IssueReport, arguments: Sequence[str]) -> tuple[ReportedFile, ...] | None:
    """The files that the issue shows or draws; None where the command names one that it lacks."""
    found = {file.name: file for file in (*_drawn(report), *map(_whole, report.files))}
    for argument in arguments:
        path = argument.partition("::")[0]
        if path.startswith("-") or _is_there(path, found):
            continue
        snippet = _only_snippet(report)
        if not path.endswith(".py") or snippet is None:
            return None
        found[path] = ReportedFile(path, snippet, 0)
    return tuple(found.values())


def _whole(file: ReportedFile) -> ReportedFile:
    """A configuration file with the section that people leave out."""
    if "pylintrc" not in file.name or file.content.lstrip().startswith("["):
        return file
    return ReportedFile(file.name, f"[MAIN]\n{file.content}", file.line)


def _is_there(path: str, found: Mapping[str, ReportedFile]) -> bool:
    return any(name == path or name.startswith(path.rstrip("/") + "/") for name in found)


def _only_snippet(report: IssueReport) -> str | None:
    """The one piece of Python that a report shows, which then is the file that it means."""
    snippets = [
        part.text
        for part in report.parts
        if part.kind is PartForm.BLOCK and any(e.line == part.line for e in report.examples)
    ]
    return snippets[0] + "\n" if len(snippets) == 1 else None


def _drawn(report: IssueReport) -> Iterator[ReportedFile]:
    """The empty files of a tree that is drawn with lines."""
    for part in report.parts:
        folders: list[tuple[int, str]] = []
        for text in part.text.split("\n") if part.kind is PartForm.BLOCK else ():
            branch = _BRANCH.match(text)
            if branch is None:
                continue
            depth = len(branch["indent"])
            folders = [folder for folder in folders if folder[0] < depth]
            name = branch["name"].rstrip("/")
            path = "/".join([*(folder for _, folder in folders), name])
            if "." in name:
                yield ReportedFile(path, "", part.line)
            else:
                folders.append((depth, name))


_LIMITS = ResourceLimits(wall_seconds=120.0, cpu_seconds=120.0)
_FOLDER = ".fixgate_command"


def output_of(runner: TestRunner, scenario: Scenario) -> str:
    """What the scenario prints on the base commit. Raises SandboxError."""
    files = {f"{_FOLDER}/{file.name}": file.content.encode() for file in scenario.files}
    with runner.shell(Changes({**files, f"{_FOLDER}/.keep": b""})) as shell:
        python = shlex.quote(str(python_environment(shell.environment).python))
        command = f"{python} -m {scenario.program} {shlex.join(scenario.arguments)}"
        done = shell.script(f"cd {_FOLDER} && {command} < /dev/null 2>&1", limits=_LIMITS)
    return done.output


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


def command_test(title: str, symptom: CommandSymptom) -> DraftTest:
    """A test that fails as long as the symptom is there."""
    scenario = symptom.scenario
    name = function_name(title)
    if scenario.program == "pytest" and isinstance(symptom.demand, Outcomes):
        body = [*_written(scenario, "testdir.tmpdir"), *_pytest(scenario, symptom.demand)]
        return DraftTest(name, (), tuple(body), ("testdir",))
    imports = ["import pytest", "from pylint.lint import Run"]
    if isinstance(symptom.demand, PrintedMessage):
        imports = ["from io import StringIO", *imports]
        imports += ["from pylint.reporters.text import TextReporter"]
    body = [*_written(scenario, "tmpdir"), "monkeypatch.chdir(tmpdir)", *_pylint(symptom)]
    return DraftTest(name, tuple(imports), tuple(body), ("tmpdir", "monkeypatch"))


def _written(scenario: Scenario, directory: str) -> Iterator[str]:
    for file in scenario.files:
        parts = ", ".join(repr(part) for part in file.name.split("/"))
        yield f"{directory}.join({parts}).write({literal(file.content)}, ensure=True)"


def _pytest(scenario: Scenario, demand: Outcomes) -> Iterator[str]:
    arguments = ", ".join(map(repr, scenario.arguments))
    yield f"outcomes = testdir.runpytest({arguments}).parseoutcomes()"
    for name in sorted({*demand.expected, *demand.actual}):
        count = demand.expected.get(name, 0)
        if name == "error":
            yield f"assert outcomes.get('error', outcomes.get('errors', 0)) == {count}"
        else:
            yield f"assert outcomes.get({name!r}, 0) == {count}"


def _pylint(symptom: CommandSymptom) -> Iterator[str]:
    arguments = list(symptom.scenario.arguments)
    if isinstance(symptom.demand, Crash):
        yield f"with pytest.raises(SystemExit):\n    Run({arguments!r})"
    elif isinstance(symptom.demand, PrintedMessage):
        yield "output = StringIO()"
        reporter = "reporter=TextReporter(output)"
        yield f"with pytest.raises(SystemExit):\n    Run({arguments!r}, {reporter})"
        yield f"assert {symptom.demand.words!r} not in output.getvalue()"


_MOST = 4
"""Commands of one issue that are run."""


def reported_commands(report: IssueReport, runner: TestRunner) -> Iterator[CommandSymptom]:
    """What the commands of a report do wrong on the base commit. Raises SandboxError."""
    found = dict.fromkeys(scenarios(report, packages(runner.subject)))
    ran = [(scenario, output_of(runner, scenario)) for scenario in list(found)[:_MOST]]
    yield from command_symptoms(report, ran)


def failing_by(symptom: CommandSymptom) -> str:
    """The name of the exception that a test for the symptom fails with."""
    crash = symptom.demand
    return crash.exception.rpartition(".")[2] if isinstance(crash, Crash) else "AssertionError"
