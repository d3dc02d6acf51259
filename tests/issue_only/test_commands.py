"""Commands of pytest and pylint in issues, what they print, and the tests written for them."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from generator.languages.python.issue_only.commands import (
    CommandSymptom,
    command_symptoms,
    command_test,
    failing_by,
    scenarios,
)
from generator.languages.python.notation import NOTATION
from generator.report_text import IssueReport, read_report

MARKED = """
    Marks that are added later do nothing
    ```python
    # file: test_foo.py
    import pytest
    def test_mark(request):
        request.node.add_marker(pytest.mark.xfail)
        assert 0
    ```
    With 5.4
    ```
    $ pytest -rsx test_foo.py
    test_foo.py x                                      [100%]
    ========= 1 xfailed in 0.07s =========
    ```
    With 6.0
    ```
    $ pytest -rsx test_foo.py
    test_foo.py F                                      [100%]
    ```
"""
FAILED = "===== 1 failed in 0.07s ====="
UNUSED = """
    unused-import false positive for a type comment
    ### Steps to reproduce
    ```python
    import abc
    X = ...  # type: abc.ABC
    ```
    ### Current behavior
    ```
    ************* Module a
    /tmp/a.py:1:0: W0611: Unused import abc (unused-import)
    ```
    ### Expected behavior
    It should not be emitted.
"""


def report(issue: str) -> IssueReport:
    return read_report(textwrap.dedent(issue).strip(), NOTATION)


def found(issue: str, *printed: str) -> list[CommandSymptom]:
    read = report(issue)
    ran = scenarios(read, ("pylint", "_pytest"))
    return list(command_symptoms(read, list(zip(ran, printed, strict=True))))


def test_a_scenario_has_the_files_that_are_named() -> None:
    first, second = scenarios(report(MARKED), ("_pytest",))
    assert (first.program, first.arguments) == ("pytest", ("-rsx", "test_foo.py"))
    assert [file.name for file in first.files] == ["test_foo.py"]
    assert second.output.startswith("test_foo.py F")


def test_commands_of_other_programs_are_left_alone() -> None:
    assert scenarios(report(MARKED), ("calc",)) == ()


def test_a_command_on_a_file_that_is_not_there_is_left_alone() -> None:
    assert scenarios(report("Title\n```\n$ pytest test_gone.py\n1 failed\n```"), ("_pytest",)) == ()


def test_the_files_of_a_tree_that_is_drawn() -> None:
    issue = """
        Modules named alike
        ```
        .
        `-- a/
            |-- a.py
            `-- b.py
        ```
        ```
        $ pylint a
        a/__init__.py:1:0: F0010: error while parsing (parse-error)
        ```
    """
    (only,) = scenarios(report(issue), ("pylint",))
    assert [file.name for file in only.files] == ["a/a.py", "a/b.py"]


def test_a_configuration_gets_the_section_that_was_left_out() -> None:
    issue = "Title\n.pylintrc:\n```ini\nfunction-rgx=[\n```\n```shell\npylint\n```\n"
    (only,) = scenarios(report(issue), ("pylint",))
    assert only.files[0].content == "[MAIN]\nfunction-rgx=[\n"


def test_tests_that_come_out_otherwise_than_before() -> None:
    (symptom,) = found(MARKED, FAILED, FAILED)
    assert symptom.rule == "command_outcomes"
    assert symptom.words == "tests come out as 1 failed instead of 1 xfailed"
    assert failing_by(symptom) == "AssertionError"


def test_tests_that_come_out_as_before_are_no_symptom() -> None:
    assert found(MARKED, "=== 1 xfailed in 0.1s ===", "=== 1 xfailed in 0.1s ===") == []


def test_the_test_for_outcomes_tells_right_from_wrong(tmp_path: Path) -> None:
    (symptom,) = found(MARKED, FAILED, FAILED)
    assert run_by_pytest(tmp_path, command_test("Marks", symptom).source(case="")) == 0
    wrong = MARKED.replace("add_marker(pytest.mark.xfail)", "name")
    (symptom,) = found(wrong, FAILED, FAILED)
    assert run_by_pytest(tmp_path, command_test("Marks", symptom).source(case="")) == 1


def run_by_pytest(directory: Path, code: str) -> int:
    (directory / "test_written.py").write_text(code)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytester", "-p", "no:cacheprovider"]
    # What else is installed has no say, and takes seconds to load.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*command, "test_written.py"], cwd=directory, env=environment, check=False
    )
    return done.returncode


def test_a_message_that_should_not_be_given() -> None:
    printed = "a.py:1:0: W0611: Unused import abc (unused-import)\n"
    (symptom,) = found(UNUSED, printed)
    assert (symptom.scenario.arguments, symptom.rule) == (("a.py",), "command_message")
    code = command_test("Unused", symptom).source(case="")
    assert "Run(['a.py'], reporter=TextReporter(output))" in code
    assert "assert 'unused-import' not in output.getvalue()" in code


def test_a_message_that_is_not_given_is_no_symptom() -> None:
    assert found(UNUSED, "Your code has been rated at 10/10\n") == []


def test_a_program_that_dies_as_reported() -> None:
    issue = """
        Traceback for an unknown option
        ```shell
        pylint -Q
        ```
        ```
        Traceback (most recent call last):
          File "a.py", line 1, in run
        pylint.config._UnknownError: Q
        ```
    """
    died = (
        "Traceback (most recent call last):\n  File 'x', line 9, in f\npylint.config._UnknownError"
    )
    (symptom,) = found(issue, f"{died}: Q\n")
    assert failing_by(symptom) == "_UnknownError"
    code = command_test("Unknown", symptom).source(case="")
    assert code.endswith("    with pytest.raises(SystemExit):\n        Run(['-Q'])\n")
    assert found(issue, f"{died.replace('_Unknown', 'Other')}: Q\n") == []
