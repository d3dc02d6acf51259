"""What a report says was run on a command line, made ready to be run again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator import ResourceLimits
from evaluator.diff import Changes
from evaluator.languages.python.environment.types import python_environment
from generator.report_text import IssueReport, PartForm, ReportedFile
from generator.test_runner import TestRunner

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
