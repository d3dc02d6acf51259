"""Writes tests that run a program on files, the way the program's own tests do."""

from __future__ import annotations

from collections.abc import Iterator

from generator.languages.python.issue_only.commands.scenario import Scenario
from generator.languages.python.issue_only.commands.symptoms import (
    CommandSymptom,
    Crash,
    Outcomes,
    PrintedMessage,
)
from generator.languages.python.issue_only.demanding import literal
from generator.languages.python.issue_only.test_code import DraftTest, function_name


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
