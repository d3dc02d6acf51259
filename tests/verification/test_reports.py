"""What `fixgate verify` writes for CI servers: SARIF, JUnit's XML and a summary."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evaluator.demo.sample import commit_patch, git, patch
from evaluator.diff import ChangedLines, Changes
from evaluator.judge import Judgement
from evaluator.model import (
    ChangedLine,
    Failure,
    LineState,
    Phase,
    Revision,
    Side,
    Status,
    Transition,
)
from evaluator.report.junit import junit
from evaluator.report.markdown import markdown
from evaluator.report.sarif import sarif
from evaluator.report.verification import MOST_TESTS, print_verification
from evaluator.verdict import Evidence, decide
from evaluator.verification.change import Change
from evaluator.verification.verify import Verification
from tests.command_line import fixgate
from tests.mirrors import mirror_of

from .conftest import Verify

TEST = "tests.test_shorten.ShortenTest.test_exact_width"


@pytest.fixture
def reports(verify: Verify, repository: Path, tmp_path: Path):
    """Judges fixes by the sample's careful test; the exit code and the three reports."""
    (tmp_path / "t.patch").write_text(patch("predictions/careful.shorten.patch"))
    files = {name: tmp_path / f"report.{name}" for name in ("sarif", "junit", "markdown")}

    def run(*fixes: str) -> tuple[int, dict, ElementTree.Element, str]:
        commit_patch(repository, "fix", *fixes)
        options = [f"--{name}={file}" for name, file in files.items()]
        done = verify("--base=main", "--head=fix", f"--tests={tmp_path / 't.patch'}", *options)
        log, page = json.loads(files["sarif"].read_text()), files["markdown"].read_text("utf-8")
        return done.exit_code, log, ElementTree.parse(files["junit"]).getroot(), page

    return run


def test_a_rejection(reports):
    code, log, tree, page = reports("fixes/shorten-wrong.patch")
    assert code == 1
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("given_test_still_fails", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "tests/test_shorten.py"
    assert place["region"]["startLine"] == 14
    assert "'nine c...' != 'nine char'" in result["message"]["text"]
    verdict, given = tree
    assert verdict.find("testcase/failure").get("type") == "reject"
    assert [given.get(key) for key in ("tests", "failures", "errors", "skipped")] == list("3100")
    failed = given.find("testcase[failure]")
    assert f"{failed.get('classname')}.{failed.get('name')}" == TEST
    assert page.startswith("## ❌ fixgate rejects this change\n")
    assert f"| ` {TEST} ` | failed | failed |" in page


def test_an_acceptance_with_lines_that_are_not_covered(reports):
    code, log, tree, page = reports("fixes/shorten.patch", "fixes/roman.patch")
    assert code in (0, 3)
    results = log["runs"][0]["results"]
    missed = [one for one in results if one["ruleId"] == "not_covered"]
    assert {one["level"] for one in missed} == {"note"}
    uris = {o["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for o in missed}
    assert uris == {"wordtools/roman.py"}
    assert tree.find("testsuite/testcase/failure") is None
    assert "changed lines executed by tests that fail without the change" in page


def _verification(test: str, kind: str, message: str) -> Verification:
    failed = Side(Status.FAILED, failure=Failure(kind, message))
    own = Judgement(("t.py",), (Transition(test, "t.py", Side(Status.PASSED), failed),))
    evidence = Evidence(own=own)
    change = Change(
        "o/r", "a" * 40, "b" * 40, Changes({"m.py": b""}), Changes(), ChangedLines({}, {})
    )
    return Verification(change, own, {}, decide(evidence), evidence, (), {})


ANY = st.text(max_size=60)


@given(ANY, ANY, ANY)
def test_whatever_tests_print_the_reports_can_be_read(test, kind, message):
    verification = _verification(test, kind, message)
    root = ElementTree.fromstring(junit(verification))
    assert [suite.get("failures") for suite in root] == ["1", "1"]
    log = json.loads(json.dumps(sarif(verification)))
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "t.py"
    (row,) = [line for line in markdown(verification).splitlines() if "| passed | failed |" in line]
    assert row.startswith("| ")
    assert row.endswith(" |")


def test_a_reason_that_begins_with_long_names_ends_with_what_is_said_of_them() -> None:
    name = f"test/dialect/test_engine.py::ParseConnectTest::test_disconnect[{'error ' * 40}]"
    verification = _verification(name, "AssertionError", "False is not True")
    (reason, *_) = verification.verdict.reasons
    assert reason.startswith(name)
    assert f"- ` {reason} `" in markdown(verification)


def test_tests_that_decide_come_first_in_every_table() -> None:
    """As in a file of hundreds of tests that fail anyhow, of which two show the fix."""
    failed, passed = Side(Status.FAILED), Side(Status.PASSED)
    ends = {"a-old": (failed, failed), "b": (failed, failed), "c": (failed, passed)}
    ends |= {f"a-old-{n}": (failed, failed) for n in range(MOST_TESTS)} | {"d": (passed, failed)}
    transitions = tuple(
        Transition(name, "t.py", *sides, preexisting=name.startswith("a-old"))
        for name, sides in sorted(ends.items())
    )
    verification = _verification("t", "", "")
    own = Judgement(("t.py",), transitions)
    shown = dataclasses.replace(verification, own=own, evidence=Evidence(own=own))
    page = markdown(shown)
    assert re.findall(r"\| ` ([\w-]+) ` \|", page)[:4] == ["d", "c", "b", "a-old"]
    assert "\n4 more tests\n" in page
    stream = io.StringIO()
    print_verification(Console(file=stream, width=100), shown)
    rows = stream.getvalue().partition("why it fails")[2].split("\n")[1:5]
    assert [row.split()[0] for row in rows] == ["d", "c", "b", "a-old"]
    assert "4 more tests that fail or do not run" in stream.getvalue()


def test_tests_that_are_skipped_on_both_sides_are_only_counted() -> None:
    """As in a suite most of which needs a database, or where the given test is one of them."""
    failed, passed, old = Side(Status.FAILED), Side(Status.PASSED), Failure("Skipped", "no --dsn")
    skipped = Side(Status.SKIPPED, failure=old)
    ends = {"a": (skipped, skipped), "b": (skipped, skipped), "c": (failed, passed)}
    transitions = tuple(Transition(name, "t.py", *sides) for name, sides in ends.items())
    verification, own = _verification("t", "", ""), Judgement(("t.py",), transitions)
    evidence = Evidence(own=own)
    shown = dataclasses.replace(verification, own=own, evidence=evidence, verdict=decide(evidence))
    assert re.findall(r"\| ` ([\w-]+) ` \|", markdown(shown)) == ["c"]
    stream = io.StringIO()
    print_verification(Console(file=stream, width=100), shown)
    said = "2 more tests are skipped without the change and with it (Skipped: no --dsn)"
    assert said in stream.getvalue()
    given = Evidence(given=(Judgement(("t.py",), transitions[1:2]),))
    shown = dataclasses.replace(shown, evidence=given, verdict=decide(given))
    assert re.findall(r"\| ` ([\w-]+) ` \|", markdown(shown)) == ["b"]


def test_tests_behind_one_that_hangs_without_the_change_are_only_counted() -> None:
    passed, cut = Side(Status.PASSED), Side(Status.TIMEOUT)
    begun = Side(Status.TIMEOUT, Phase.CALL, failure=Failure("", "the run ended"))
    transitions = (
        Transition("a", "t.py", begun, passed),
        Transition("b", "t.py", cut, passed),
        Transition("c", "t.py", cut, passed, flaky=True, steady_with_fix=True),
    )
    own = Judgement(("t.py",), transitions)
    evidence = Evidence(own=own)
    verification = dataclasses.replace(
        _verification("t", "", ""), own=own, evidence=evidence, verdict=decide(evidence)
    )
    assert re.findall(r"\| ` ([\w-]+) ` \|", markdown(verification)) == ["a"]
    stream = io.StringIO()
    print_verification(Console(file=stream, width=100), verification)
    said = "2 more tests pass with the change, and were not reached without it"
    assert said in stream.getvalue()
    assert re.search(r"timeout +passed +the run ended", stream.getvalue())


def test_lines_that_no_test_executes_are_told_with_their_side() -> None:
    lines = (
        ChangedLine("m.py", 3, Revision.BASE, LineState.UNCOVERED, text="  old()"),
        ChangedLine("m.py", 4, Revision.FIXED, LineState.UNCOVERED, text="  new()"),
    )
    breaking = dataclasses.replace(_verification("t", "", ""), lines=lines)
    sides = Side(Status.FAILED), Side(Status.PASSED)
    mending = Evidence(own=Judgement(("t.py",), (Transition("t", "t.py", *sides),)))
    found = [_unexecuted(dataclasses.replace(breaking, evidence=mending)), _unexecuted(breaking)]
    assert found == [["m.py:3, without the change:  old()", "m.py:4, with it:  new()"], []]


def _unexecuted(verification: Verification) -> list[str]:
    stream = io.StringIO()
    print_verification(Console(file=stream, width=100), verification)
    assert "0 of 2 changed lines executed by tests that fail without" in stream.getvalue()
    return re.findall("not executed: (.*)", stream.getvalue())


@pytest.mark.parametrize(("columns", "whole"), [("", True), ("60", False)])
def test_names_stay_in_one_piece_in_a_log(
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
    whole: bool,
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    commit_patch(repository, "fix", "fixes/shorten-wrong.patch", "instances/shorten.tests.patch")
    judged = ["verify", f"--repo={repository}", "--base=main", "--head=fix", "--quick"]
    done = fixgate([*judged, "--sandbox=process", "--offline", f"--cache={tmp_path / 'cache'}"])
    name = "tests.test_shorten.ShortenTest.test_text_that_just_fits_stays"
    assert (f"\n{name}  " in done.stdout) is whole, done.stdout


def test_a_file_that_cannot_be_written_is_named(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", "fixes/shorten.patch", "instances/shorten.tests.patch")
    answer = verify("--base=main", "--head=fix", "--quick", "--sarif=/missing/a.sarif")
    assert answer.exit_code == 2
    assert "/missing/a.sarif: cannot be written: No such file or directory" in answer.error


@pytest.fixture
def schema() -> dict:
    """The schema of SARIF 2.1.0, from its repository."""
    repository = mirror_of("oasis-tcs/sarif-spec")
    found: dict = json.loads(
        git(repository, "show", "HEAD:sarif-2.1/schema/sarif-schema-2.1.0.json")
    )
    return found


@pytest.mark.mirrors
def test_sarif_is_as_its_schema_demands(schema):
    log = sarif(_verification("t.test", "AssertionError", "1 != 2"))
    jsonschema.Draft7Validator(schema).validate(log)
